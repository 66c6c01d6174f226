/// Undoes the filters of scanlines (W3C PNG, third edition, 9), up to four at a time.
///
/// Each byte depends on the byte to its left, so nothing within a scanline can be computed in parallel. Therefore one
/// vector computes a pixel of each of four scanlines. Each scanline is one pixel behind the scanline above it, so the
/// four pixels lie on a diagonal.
final class PNGUnfilter {
    typealias Lanes = SIMD16<UInt8>

    /// The number of scanlines in a group, which are unfiltered together.
    static let groupHeight = 4
    /// The number of bytes by which vector loads may read beyond the last of the filtered scanlines.
    static let slack = 16
    // The number of zero bytes before each line. Vector stores may overwrite the same number of bytes after each line.
    private static let margin = 16

    let byteCount: Int
    /// The number of bytes of a pixel, at least 1.
    let distance: Int
    // Unfiltered lines: the line above the current group, followed by the lines of the group.
    private let lines: AlignedPlane<UInt8>
    private var lastLine = 0

    /// - Parameter byteCount: the number of bytes of a scanline without its filter type.
    init(byteCount: Int, distance: Int) {
        precondition(byteCount > 0 && distance > 0 && distance <= Self.margin / 2)
        self.byteCount = byteCount
        self.distance = distance
        lines = AlignedPlane(pitch: (byteCount + 2 * Self.margin + 63) / 64 * 64, rowCount: 1 + Self.groupHeight)
    }

    /// One of the lines that the last call of `take` unfiltered.
    func line(_ index: Int) -> UnsafeMutablePointer<UInt8> { lines[1 + index] + Self.margin }

    private var above: UnsafeMutablePointer<UInt8> { lines[0] + Self.margin }

    /// Unfilters a group of scanlines. Each scanline is a filter type followed by its bytes. Up to `slack` bytes after
    /// the last scanline may be read.
    ///
    /// - Parameter pitch: the number of bytes from the start of one scanline to the start of the next.
    /// - Returns: the number of lines that were unfiltered. It is less than `count` if a scanline has an undefined
    ///   filter type.
    func take(_ scanlines: UnsafePointer<UInt8>, pitch: Int, count: Int) -> Int {
        precondition(count > 0 && count <= Self.groupHeight && pitch > byteCount)
        if lastLine > 0 { above.update(from: line(lastLine - 1), count: byteCount) }
        var filters: [PNGFilter] = []
        for index in 0..<count {
            guard let filter = PNGFilter(rawValue: scanlines[index * pitch]) else { break }
            filters.append(filter)
        }
        lastLine = filters.count
        if filters.count == Self.groupHeight, PNGFilter.areFasterTogether(filters), distance <= 4,
            byteCount >= Self.groupHeight * distance
        {
            undo(PNGFilterGroup(filters), scanlines + 1, pitch: pitch)
        } else {
            for (index, filter) in filters.enumerated() {
                let upper = index == 0 ? above : line(index - 1)
                filter.undo(
                    scanlines + (index * pitch + 1), above: upper, into: line(index), distance: distance,
                    in: 0..<byteCount)
            }
        }
        return filters.count
    }

    /// Unfilters four lines at once. Each line is one pixel behind the line above it. So the first and the last few
    /// steps would not have a pixel in every line. The pixels of these steps are computed one by one.
    private func undo(_ group: PNGFilterGroup, _ raw: UnsafePointer<UInt8>, pitch: Int) {
        func finish(_ index: Int, _ range: Range<Int>) {
            group.filters[index].undo(
                raw + index * pitch, above: index == 0 ? above : line(index - 1), into: line(index),
                distance: distance, in: range)
        }
        for index in 0..<3 { finish(index, 0..<(3 - index) * distance) }
        switch group.kind {
        case .paeth: undoPaeth(group, raw, pitch: pitch)
        case .average: undoMeans(group, raw, pitch: pitch)
        case .mixture: undoMixture(group, raw, pitch: pitch)
        }
        for index in 1..<4 { finish(index, byteCount - index * distance..<byteCount) }
    }

    // `undoPaeth`, `undoMeans` and `undoMixture` are separate functions, because in a larger function the compiler does
    // not inline everything that a loop calls.
    @inline(never)
    private func undoPaeth(_ group: PNGFilterGroup, _ raw: UnsafePointer<UInt8>, pitch: Int) {
        undoDiagonally(group, raw, pitch: pitch, kind: .paeth)
    }

    @inline(never)
    private func undoMeans(_ group: PNGFilterGroup, _ raw: UnsafePointer<UInt8>, pitch: Int) {
        undoDiagonally(group, raw, pitch: pitch, kind: .average)
    }

    @inline(never)
    private func undoMixture(_ group: PNGFilterGroup, _ raw: UnsafePointer<UInt8>, pitch: Int) {
        undoDiagonally(group, raw, pitch: pitch, kind: .mixture)
    }

    /// Undoes the filters of four lines at once. Each line is one pixel behind the line above it. So at both ends of
    /// the lines there are a few pixels that cannot be computed four at a time. The caller computes them.
    ///
    /// - Parameter kind: the combination of filters in the group, the same as `group.kind`. Callers pass it as a
    ///   constant, so that the compiler leaves out the code for the other combinations.
    @inline(__always)
    private func undoDiagonally(
        _ group: PNGFilterGroup, _ raw: UnsafePointer<UInt8>, pitch: Int, kind: PNGFilterGroup.Kind
    ) {
        let (byteCount, step) = (byteCount, distance)
        // The pointers of the lines are shifted against each other, so that the same offset leads to pixels on a
        // diagonal. Each of these pixels is one column to the left of the pixel in the line above. So a pixel's
        // neighbours in the line above are computed before the pixel itself.
        let raw0 = UnsafeRawPointer(raw)
        let (raw1, raw2, raw3) = (raw0 + (pitch - step), raw0 + 2 * (pitch - step), raw0 + 3 * (pitch - step))
        let above = UnsafeRawPointer(above)
        let line0 = UnsafeMutableRawPointer(line(0))
        let reach = lines.pitch - step
        let (line1, line2, line3) = (line0 + reach, line0 + 2 * reach, line0 + 3 * reach)
        let first = 3 &* step
        var left = lanes(
            word(line0, first &- step), word(line1, first &- step), word(line2, first &- step),
            word(line3, first &- step))
        var upperLeft = lanes(
            word(above, first &- step), word(line0, first &- 2 &* step), word(line1, first &- 2 &* step),
            word(line2, first &- 2 &* step))
        let masks = group.masks
        var offset = first
        while offset < byteCount {
            let words = unsafeBitCast(left, to: SIMD4<UInt32>.self)
            let upper = lanes(word(above, offset), words[0], words[1], words[2])
            let differences = lanes(word(raw0, offset), word(raw1, offset), word(raw2, offset), word(raw3, offset))
            let mean = (left & upper) &+ ((left ^ upper) &>> 1)
            switch kind {
            case .paeth: left = differences &+ paeth(left, upper, upperLeft)
            case .average: left = differences &+ mean
            case .mixture:
                let nearest = paeth(left & masks.left, upper & masks.upper, upperLeft & masks.upperLeft)
                left = differences &+ (nearest & ~masks.mean | mean & masks.mean)
            }
            upperLeft = upper
            let made = unsafeBitCast(left, to: SIMD4<UInt32>.self)
            line0.storeBytes(of: made[0], toByteOffset: offset, as: UInt32.self)
            line1.storeBytes(of: made[1], toByteOffset: offset, as: UInt32.self)
            line2.storeBytes(of: made[2], toByteOffset: offset, as: UInt32.self)
            line3.storeBytes(of: made[3], toByteOffset: offset, as: UInt32.self)
            offset &+= step
        }
    }
}

// The functions below are at the top level of the file, because the compiler does not always inline methods and
// closures in a loop.

/// Computes the Paeth predictor for each byte of the vectors. This is the neighbour that is nearest to left + upper −
/// upper left (W3C PNG, third edition, 9.4). The results are the same as those of `PNGFilter` for single bytes.
///
/// The nearest neighbour is found from two differences, which fit into eight bits: upper left minus the smaller of left
/// and upper, and the larger of left and upper minus upper left. A negative difference counts as 0. That gives the
/// right result: a difference is negative if upper left is outside the range from the smaller to the larger. In that
/// case, the neighbour at the opposite end of this range is the nearest, and a difference of 0 selects it.
@inline(__always)
func paeth(
    _ left: PNGUnfilter.Lanes, _ upper: PNGUnfilter.Lanes, _ upperLeft: PNGUnfilter.Lanes
) -> PNGUnfilter.Lanes {
    let least = left.replacing(with: upper, where: left .> upper)
    let most = larger(left, upper)
    let aboveLeast = difference(upperLeft, least)
    let belowMost = difference(most, upperLeft)
    let inner = upperLeft.replacing(
        with: least, where: difference(belowMost, difference(aboveLeast, belowMost)) .== .zero)
    return inner.replacing(with: most, where: difference(aboveLeast, difference(belowMost, aboveLeast)) .== .zero)
}

@inline(__always)
private func larger(_ a: PNGUnfilter.Lanes, _ b: PNGUnfilter.Lanes) -> PNGUnfilter.Lanes {
    b.replacing(with: a, where: a .> b)
}

/// For each byte, `a` minus `b`; 0 if the difference would be negative.
@inline(__always)
private func difference(_ a: PNGUnfilter.Lanes, _ b: PNGUnfilter.Lanes) -> PNGUnfilter.Lanes { larger(a, b) &- b }

@inline(__always)
private func word(_ line: UnsafeRawPointer, _ offset: Int) -> UInt32 {
    line.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
}

@inline(__always)
private func lanes(_ a: UInt32, _ b: UInt32, _ c: UInt32, _ d: UInt32) -> PNGUnfilter.Lanes {
    unsafeBitCast(SIMD4(a, b, c, d), to: PNGUnfilter.Lanes.self)
}
