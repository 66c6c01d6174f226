import ThumbwheelCore

/// Averages blocks of whole pixels, as `BoxReducer` does, of what a pixel's bytes stand for: light, or colour times alpha.
///
/// Sums are of pixels across and down a block, at most 256 × 256 of them, in 32 bits.
struct PixelReducer {
    enum Samples {
        /// Light of each byte, 0 to 65 280.
        case light([UInt16])
        /// Colours times alpha, and alpha.
        case premultiplied
    }

    private let samples: Samples
    private let reduction: BoxReduction
    private let channels: Int
    private let columns: Range<Int>
    private let decodedSize: PixelSize
    private var nextRow: Int
    private var rowsInBlock = 0
    // Three or four for each block.
    private var sums: [UInt32]
    private var averages: [UInt16]
    private let samplesPerPixel: Int

    /// The parameters are those of `BoxReducer`.
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

    /// Adds a row of the decode; when it completes a row of blocks, returns that row's averages: 0 to 65 280.
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

    /// The pixels of a block: the last one of a row may be incomplete.
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
        let lower: UInt64 = 0x0000_FFFF_0000_FFFF
        for (index, block) in columns.enumerated() {
            // Red and blue, green and alpha: two sums of 32 bits in each.
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

    private mutating func average() {
        // Colours times alpha reach 255·255, light 255·256.
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
