/// The filters of four scanlines, as masks of a vector in which each scanline has four lanes of one byte.
///
/// All filters except the mean are computed as the Paeth predictor with some neighbours masked out. With only the left or
/// only the upper neighbour, the predictor is that neighbour; with none it is 0.
struct PNGFilterGroup {
    typealias Lanes = PNGUnfilter.Lanes

    enum Kind {
        /// All four scanlines have the Paeth filter; like the mean, it is slow enough to have code of its own.
        case paeth
        case average
        case mixture
    }

    let filters: [PNGFilter]
    let kind: Kind
    /// The masks of the lines in which each neighbour counts, and of the lines that take the mean of the left and the upper
    /// neighbour instead.
    let masks: (left: Lanes, upper: Lanes, upperLeft: Lanes, mean: Lanes)

    init(_ filters: [PNGFilter]) {
        precondition(filters.count == PNGUnfilter.groupHeight)
        self.filters = filters
        kind =
            filters.allSatisfy { $0 == .paeth } ? .paeth : filters.allSatisfy { $0 == .average } ? .average : .mixture
        func mask(_ isSet: (PNGFilter) -> Bool) -> Lanes {
            let words = filters.map { isSet($0) ? UInt32.max : 0 }
            return unsafeBitCast(SIMD4(words[0], words[1], words[2], words[3]), to: Lanes.self)
        }
        masks = (
            mask { $0 == .sub || $0 == .paeth }, mask { $0 == .up || $0 == .paeth }, mask { $0 == .paeth },
            mask { $0 == .average }
        )
    }
}
