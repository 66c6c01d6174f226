/// The filters of four scanlines, as masks of a vector whose lanes they share, four bytes each.
///
/// All but the mean are the Paeth predictor of fewer neighbours: with only the left one it is that one, with only the
/// upper one that, with none 0.
struct PNGFilterGroup {
    typealias Lanes = PNGUnfilter.Lanes

    enum Kind {
        /// All four have the same filter, one of the two that take the longest.
        case paeth
        case average
        case mixture
    }

    let filters: [PNGFilter]
    let kind: Kind
    /// Which neighbours count, and which lines take the mean of left and upper instead.
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
