import ThumbwheelCore

/// Averages blocks of whole pixels, as `BoxReducer` does, but in linear light, or with colours multiplied by alpha.
///
/// A sum over a block fits into 32 bits, because a block has at most 256 × 256 pixels.
struct PixelReducer {
    enum Samples {
        /// Sums linear light. The table has a level from 0 to 65 280 for each value of a sample.
        case light([UInt16])
        /// Sums colours multiplied by alpha, and sums alpha.
        case premultiplied
    }

    private let samples: Samples
    private let reduction: BoxReduction
    private let channels: Int
    private let columns: Range<Int>
    private let decodedSize: PixelSize
    private var nextRow: Int
    private var rowsInBlock = 0
    // The current row of blocks: three or four sums for each block, one for each sample of a pixel.
    private var sums: [UInt32]
    private var averages: [UInt16]
    private let samplesPerPixel: Int

    /// Makes a reducer for samples in linear light, or for colours multiplied by alpha. The parameters after `samples`
    /// have the same meaning as in `BoxReducer`.
    init(
        _ samples: Samples, reduction: BoxReduction, channels: Int, columns: Range<Int>, decodedSize: PixelSize,
        firstRow: Int
    ) {
        precondition(firstRow % reduction.vertical == 0)
        self.samples = samples
        self.reduction = reduction
        self.channels = channels
        self.columns = columns
        self.decodedSize = decodedSize
        nextRow = firstRow
        if case .light = samples { samplesPerPixel = 3 } else { samplesPerPixel = 4 }
        sums = Array(repeating: 0, count: columns.count * samplesPerPixel)
        averages = Array(repeating: 0, count: columns.count * samplesPerPixel)
    }

    /// Adds a row of the decoded image. If the row completes a row of blocks, returns the averages of those blocks,
    /// from 0 to 65 280.
    mutating func add(_ row: UnsafePointer<UInt8>) -> [UInt16]? {
        switch samples {
        case .light(let levels): addLight(row, levels)
        case .premultiplied: addPremultiplied(row)
        }
        nextRow += 1
        rowsInBlock += 1
        guard rowsInBlock == reduction.vertical || nextRow == decodedSize.height else { return nil }
        average()
        rowsInBlock = 0
        return averages
    }

    /// Returns the columns of the decoded image that a block covers. The last block of a row may be incomplete.
    private func pixels(of block: Int) -> Range<Int> {
        block * reduction.horizontal..<min((block + 1) * reduction.horizontal, decodedSize.width)
    }

    private mutating func addLight(_ row: UnsafePointer<UInt8>, _ levels: [UInt16]) {
        let step = channels == 3 ? 1 : 0
        levels.withUnsafeBufferPointer { levels in
            for (index, block) in columns.enumerated() {
                var (red, green, blue) = (UInt32(0), UInt32(0), UInt32(0))
                let pixels = pixels(of: block)
                var pixel = row + pixels.lowerBound &* channels
                for _ in pixels {
                    red &+= UInt32(levels[Int(pixel[0])])
                    green &+= UInt32(levels[Int(pixel[step])])
                    blue &+= UInt32(levels[Int(pixel[2 &* step])])
                    pixel += channels
                }
                sums[index &* 3] &+= red
                sums[index &* 3 &+ 1] &+= green
                sums[index &* 3 &+ 2] &+= blue
            }
        }
    }

    private mutating func addPremultiplied(_ row: UnsafePointer<UInt8>) {
        if channels == 4 { return addPremultipliedColors(row) }
        let lower: UInt64 = 0x0000_FFFF_0000_FFFF
        for (index, block) in columns.enumerated() {
            // `even` holds the sums of red and of blue, and `odd` the sums of green and of alpha, in 32 bits each.
            var (even, odd) = (UInt64(0), UInt64(0))
            let pixels = pixels(of: block)
            var pixel = row + pixels.lowerBound &* channels
            for _ in pixels {
                let products = premultiplied(pixel, channels: channels)
                even &+= products & lower
                odd &+= products &>> 16 & lower
                pixel += channels
            }
            sums[index &* 4] &+= UInt32(truncatingIfNeeded: even)
            sums[index &* 4 &+ 1] &+= UInt32(truncatingIfNeeded: odd)
            sums[index &* 4 &+ 2] &+= UInt32(truncatingIfNeeded: even &>> 32)
            sums[index &* 4 &+ 3] &+= UInt32(truncatingIfNeeded: odd &>> 32)
        }
    }

    /// Adds a row of pixels of red, green, blue and alpha, two pixels at once.
    private mutating func addPremultipliedColors(_ row: UnsafePointer<UInt8>) {
        let (first, across, width) = (columns.lowerBound, reduction.horizontal, decodedSize.width)
        let count = columns.count
        let lower = SIMD4<UInt32>(repeating: 0xFFFF)
        sums.withUnsafeMutableBufferPointer { sums in
            guard var target = sums.baseAddress else { return }
            var pixel = UnsafeRawPointer(row) + first &* across &* 4
            for index in 0..<count {
                var left = min(across, width &- (first &+ index) &* across)
                // Pixels are added in pairs, so each sum is kept twice: for the first and for the second pixels of the
                // pairs. `even` holds the sums of red and of blue, and `odd` the sums of green and of alpha.
                var (even, odd) = (SIMD4<UInt32>.zero, SIMD4<UInt32>.zero)
                while left >= 2 {
                    let products = premultipliedPair(pixel.loadUnaligned(as: UInt64.self))
                    even = even &+ (products & lower)
                    odd = odd &+ products &>> 16
                    pixel += 8
                    left &-= 2
                }
                if left == 1 {
                    let products = premultipliedPair(UInt64(pixel.loadUnaligned(as: UInt32.self)))
                    // Adds a last pixel that has no partner. The second pixel of this pair consists of zeros and adds
                    // nothing.
                    even = even &+ (products & lower)
                    odd = odd &+ products &>> 16
                    pixel += 4
                }
                target[0] &+= even[0] &+ even[2]
                target[1] &+= odd[0] &+ odd[2]
                target[2] &+= even[1] &+ even[3]
                target[3] &+= odd[1] &+ odd[3]
                target += 4
            }
        }
    }

    private mutating func average() {
        // Raises the largest average of samples multiplied by alpha from 255·255 to 255·256. In linear light, the
        // largest average is 255·256 already.
        let unit: Float = samplesPerPixel == 4 ? 256 / 255 : 1
        for (index, block) in columns.enumerated() {
            let scale = unit / Float(pixels(of: block).count * rowsInBlock)
            for place in index * samplesPerPixel..<(index + 1) * samplesPerPixel {
                averages[place] = UInt16(min(65280, Float(sums[place]) * scale + 0.5))
                sums[place] = 0
            }
        }
    }
}

/// Returns the colours times alpha, and alpha times 255, of two pixels of four bytes: eight numbers of 16 bits.
@inline(__always)
private func premultipliedPair(_ pixels: UInt64) -> SIMD4<UInt32> {
    let samples = lanes(unsafeBitCast(pixels.littleEndian, to: SIMD8<UInt8>.self), as: UInt16.self)
    let alpha = SIMD8(samples[3], samples[3], samples[3], 255, samples[7], samples[7], samples[7], 255)
    return unsafeBitCast(samples &* alpha, to: SIMD4<UInt32>.self)
}
