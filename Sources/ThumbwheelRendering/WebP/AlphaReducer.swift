import ThumbwheelCore

/// Averages blocks of a lossy WebP picture's pixels. The planes are luma, chroma of half the resolution, and alpha. A
/// pixel's luma and chroma count by the weight of its alpha.
final class AlphaReducer {
    /// The places of the first samples of a row of blocks.
    private struct Planes {
        let luma: UnsafeRawPointer
        let blueness: UnsafeRawPointer
        let redness: UnsafeRawPointer
        let alpha: UnsafeRawPointer

        init(_ planes: WebPPlanes, row: Int) {
            luma = planes.row(row, plane: 0)
            blueness = planes.row(row / 2, plane: 1)
            redness = planes.row(row / 2, plane: 2)
            alpha = planes.row(row, plane: 3)
        }
    }

    /// Sums over the pixels of a block: of alpha, and of the other samples multiplied by alpha.
    private struct Sums {
        var alpha = 0
        var luma = 0
        var blueness = 0
        var redness = 0
    }

    private let planes: WebPPlanes
    private let reduction: Int
    private let columns: Range<Int>
    private let size: PixelSize
    private let chromaPitch: Int
    // A row of averages for each of luma, blueness and redness.
    private let averages: AlignedPlane<PlaneSample>
    private let alpha: AlignedPlane<UInt8>
    private let pixels: AlignedPlane<UInt8>
    private let luma: (factor: Float, offset: Float)
    private let chroma: (factor: Float, offset: Float)

    /// - Parameters:
    ///   - reduction: the side of a block in pixels, an even number.
    ///   - columns: the columns of blocks that are needed.
    init(_ planes: WebPPlanes, reduction: Int, columns: Range<Int>) {
        precondition(reduction > 0 && reduction % 2 == 0 && planes.sizes.count == 4)
        self.planes = planes
        self.reduction = reduction
        self.columns = columns
        size = planes.sizes[0]
        chromaPitch = planes.sizes[1].width
        // Eight pixels are converted at a time, so there is room for some after the last one.
        let count = (size.width + reduction - 1) / reduction + 16
        averages = AlignedPlane(pitch: count, rowCount: 3)
        alpha = AlignedPlane(pitch: count)
        pixels = AlignedPlane(pitch: count * 4)
        func conversion(isChroma: Bool) -> (factor: Float, offset: Float) {
            let range = SampleRange(bitsPerSample: 8, isFullRange: false, isChroma: isChroma)
            // Half a unit makes a rounded number of a truncated one, and 8192 a positive one.
            return (range.factor(count: 1), range.offset + 8192.5)
        }
        luma = conversion(isChroma: false)
        chroma = conversion(isChroma: true)
    }

    /// Returns a row of averages as red, green, blue and alpha, from column 0. It is valid until the next call, and pixels
    /// outside the needed columns have any values. All rows of its blocks must have been decoded.
    func row(_ index: Int) -> UnsafePointer<UInt8> {
        let rows = index * reduction..<min((index + 1) * reduction, size.height)
        let whole = columns.clamped(to: 0..<(rows.count == reduction ? size.width / reduction : 0))
        let first = Planes(planes, row: rows.lowerBound)
        let count = reduction * reduction
        if reduction % 4 == 0 {
            for block in whole { store(sumsOfFours(first, x: block &* reduction), count, at: block) }
        } else {
            for block in whole { store(sumsOfPairs(first, x: block &* reduction), count, at: block) }
        }
        for block in max(columns.lowerBound, whole.upperBound)..<columns.upperBound {
            let part = block * reduction..<min((block + 1) * reduction, size.width)
            store(sums(rows, part), rows.count * part.count, at: block)
        }
        convert()
        return UnsafePointer(pixels.start)
    }

    /// Sums a block of groups of four pixels across and two down. Most groups are opaque throughout, or transparent.
    @inline(__always)
    private func sumsOfFours(_ planes: Planes, x: Int) -> Sums {
        let pitch = size.width
        let even: UInt32 = 0x00FF_00FF
        var sums = Sums()
        // The sums of the opaque groups are not multiplied by alpha.
        var (opaqueCount, luma, blueness, redness) = (0, UInt32(0), UInt32(0), UInt32(0))
        for line in 0..<reduction / 2 {
            var place = 2 &* line &* pitch &+ x
            var chroma = line &* chromaPitch &+ x / 2
            for _ in 0..<reduction / 4 {
                let upper = planes.alpha.loadUnaligned(fromByteOffset: place, as: UInt32.self)
                let lower = planes.alpha.loadUnaligned(fromByteOffset: place &+ pitch, as: UInt32.self)
                if upper & lower == .max {
                    let above = planes.luma.loadUnaligned(fromByteOffset: place, as: UInt32.self)
                    let below = planes.luma.loadUnaligned(fromByteOffset: place &+ pitch, as: UInt32.self)
                    let pairs = (above & even) &+ (above &>> 8 & even) &+ (below & even) &+ (below &>> 8 & even)
                    luma &+= (pairs & 0xFFFF) &+ pairs &>> 16
                    let blue = UInt32(planes.blueness.loadUnaligned(fromByteOffset: chroma, as: UInt16.self))
                    let red = UInt32(planes.redness.loadUnaligned(fromByteOffset: chroma, as: UInt16.self))
                    blueness &+= (blue & 0xFF) &+ blue &>> 8
                    redness &+= (red & 0xFF) &+ red &>> 8
                    opaqueCount &+= 8
                } else if upper | lower != 0 {
                    add(planes, place, chroma, to: &sums)
                    add(planes, place &+ 2, chroma &+ 1, to: &sums)
                }
                place &+= 4
                chroma &+= 2
            }
        }
        sums.alpha &+= 255 &* opaqueCount
        sums.luma &+= 255 &* Int(luma)
        // Four pixels share a sample of chroma.
        sums.blueness &+= 4 &* 255 &* Int(blueness)
        sums.redness &+= 4 &* 255 &* Int(redness)
        return sums
    }

    /// Sums a block of groups of two pixels across and two down.
    @inline(__always)
    private func sumsOfPairs(_ planes: Planes, x: Int) -> Sums {
        var sums = Sums()
        for line in 0..<reduction / 2 {
            var place = 2 &* line &* size.width &+ x
            var chroma = line &* chromaPitch &+ x / 2
            for _ in 0..<reduction / 2 {
                add(planes, place, chroma, to: &sums)
                place &+= 2
                chroma &+= 1
            }
        }
        return sums
    }

    /// Adds two pixels across and two down, which share a sample of chroma.
    @inline(__always)
    private func add(_ planes: Planes, _ place: Int, _ chroma: Int, to sums: inout Sums) {
        var alpha = 0
        @inline(__always) func add(_ pixel: Int) {
            let own = Self.sample(planes.alpha, pixel)
            alpha &+= own
            sums.luma &+= own &* Self.sample(planes.luma, pixel)
        }
        add(place)
        add(place &+ 1)
        add(place &+ size.width)
        add(place &+ size.width &+ 1)
        sums.alpha &+= alpha
        sums.blueness &+= alpha &* Self.sample(planes.blueness, chroma)
        sums.redness &+= alpha &* Self.sample(planes.redness, chroma)
    }

    /// Sums pixels one by one, at the picture's right and lower edge.
    private func sums(_ rows: Range<Int>, _ columns: Range<Int>) -> Sums {
        var sums = Sums()
        for y in rows {
            let line = Planes(planes, row: y)
            for x in columns {
                let own = Self.sample(line.alpha, x)
                sums.alpha += own
                sums.luma += own * Self.sample(line.luma, x)
                sums.blueness += own * Self.sample(line.blueness, x / 2)
                sums.redness += own * Self.sample(line.redness, x / 2)
            }
        }
        return sums
    }

    @inline(__always)
    private static func sample(_ samples: UnsafeRawPointer, _ place: Int) -> Int {
        Int(truncatingIfNeeded: samples.load(fromByteOffset: place, as: UInt8.self))
    }

    /// Stores the averages of a block of `count` pixels. Of a transparent block, the colours have any values.
    @inline(__always)
    private func store(_ sums: Sums, _ count: Int, at block: Int) {
        let weight = 1 / Float(max(1, sums.alpha))
        func level(_ sum: Int, _ conversion: (factor: Float, offset: Float)) -> PlaneSample {
            let value = Float(sum) * weight * conversion.factor + conversion.offset
            return PlaneSample(truncatingIfNeeded: Int32(max(0, min(16383, value))) &- 8192)
        }
        let (start, pitch) = (averages.start, averages.pitch)
        start[block] = level(sums.luma, luma)
        start[pitch &+ block] = level(sums.blueness, chroma)
        start[2 &* pitch &+ block] = level(sums.redness, chroma)
        alpha.start[block] = UInt8(truncatingIfNeeded: Int32(Float(sums.alpha) / Float(count) + 0.5))
    }

    /// Converts the needed columns of the averages to pixels.
    private func convert() {
        let factors = LumaMatrix.bt601.factors
        let (start, pitch) = (averages.start, averages.pitch)
        for x in stride(from: columns.lowerBound & ~7, to: columns.upperBound, by: 8) {
            let colors = PixelConverter.converted(
                start, start + pitch, start + 2 * pitch, at: x, isMixed: true, factors)
            func word(_ lower: SIMD8<Int16>, _ upper: SIMD8<Int16>) -> SIMD8<UInt32> {
                lanes(unsafeBitCast(lower | upper &<< 8, to: SIMD8<UInt16>.self), as: UInt32.self)
            }
            let opacity = lanes(
                UnsafeRawPointer(alpha.start + x).loadUnaligned(as: SIMD8<UInt8>.self), as: Int16.self)
            let front = word(PixelConverter.rounded(colors.0), PixelConverter.rounded(colors.1))
            let back = word(PixelConverter.rounded(colors.2), opacity)
            (UnsafeMutableRawPointer(pixels.start) + x * 4).storeBytes(
                of: front | back &<< 16, as: SIMD8<UInt32>.self)
        }
    }
}
