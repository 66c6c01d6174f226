/// The filter types of scanlines (W3C PNG, third edition, 9.2).
enum PNGFilter: UInt8 {
    case none = 0
    case sub = 1
    case up = 2
    case average = 3
    case paeth = 4

    /// A relative measure of the time that undoing the filter takes for each pixel; 0 if that time is negligible.
    private var cost: Int {
        switch self {
        case .none, .up: 0
        case .sub: 1
        case .average: 2
        case .paeth: 3
        }
    }

    /// Whether it is faster to undo the filters of four scanlines together, by vectors, than one after the other.
    static func areFasterTogether(_ filters: [PNGFilter]) -> Bool {
        filters.reduce(0) { $0 + $1.cost } > 4
    }

    /// Undoes the filter for the bytes `range` of a line. All bytes to the left of `range` must be unfiltered already.
    ///
    /// - Parameters:
    ///   - raw: the filtered bytes of the line.
    ///   - above: the unfiltered line above.
    ///   - line: receives the unfiltered bytes. In memory, `distance` zero bytes must come before the first byte of
    ///     `line`, and also before that of `above`. They stand for a pixel to the left of the first one.
    ///   - distance: the number of bytes of a pixel, at least 1.
    func undo(
        _ raw: UnsafePointer<UInt8>, above: UnsafePointer<UInt8>, into line: UnsafeMutablePointer<UInt8>,
        distance: Int, in range: Range<Int>
    ) {
        switch self {
        case .none:
            (line + range.lowerBound).update(from: raw + range.lowerBound, count: range.count)
        case .sub:
            for index in range { line[index] = raw[index] &+ line[index &- distance] }
        case .up:
            for index in range { line[index] = raw[index] &+ above[index] }
        case .average:
            for index in range {
                let sum = UInt16(line[index &- distance]) &+ UInt16(above[index])
                line[index] = raw[index] &+ UInt8(truncatingIfNeeded: sum &>> 1)
            }
        case .paeth:
            for index in range {
                line[index] =
                    raw[index]
                    &+ Self.paeth(line[index &- distance], above[index], above[index &- distance])
            }
        }
    }

    /// The Paeth predictor: the neighbour that is nearest to left + upper − upper left. If several neighbours are
    /// equally near, the first in that order is taken.
    ///
    /// The result is found without comparing distances. Let `least` and `most` be the smaller and the larger of left
    /// and upper.
    /// - If upper left is at most (2 × `least` + `most`) / 3, the result is `most`.
    /// - If upper left is at least (`least` + 2 × `most`) / 3, the result is `least`.
    /// - Otherwise the result is upper left.
    private static func paeth(_ left: UInt8, _ upper: UInt8, _ upperLeft: UInt8) -> UInt8 {
        let least = min(left, upper)
        let most = max(left, upper)
        let threshold = 3 &* Int32(upperLeft) &- Int32(left) &- Int32(upper)
        if threshold <= Int32(least) { return most }
        return threshold >= Int32(most) ? least : upperLeft
    }
}
