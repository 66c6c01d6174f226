/// The filters of four scanlines, as bit masks for a SIMD vector of 16 bytes. Each scanline takes four bytes of the
/// vector.
///
/// All filters except `average` are computed by the Paeth predictor. The masks replace the neighbours that a filter
/// does not use by 0. If only the left or only the upper neighbour is kept, the predictor is that neighbour. If no
/// neighbour is kept, the predictor is 0.
struct PNGFilterGroup {
    typealias Lanes = PNGUnfilter.Lanes

    enum Kind {
        /// All four scanlines have the Paeth filter. It is one of the two slowest filters, so such a group gets code of
        /// its own, which uses no masks.
        case paeth
        /// All four scanlines have the average filter. It is one of the two slowest filters, so such a group gets code
        /// of its own, which uses no masks.
        case average
        /// The filters of the four scanlines differ, or are all of a kind that is fast to undo. The code for such
        /// groups uses the masks.
        case mixture
    }

    let filters: [PNGFilter]
    let kind: Kind
    /// For each neighbour, a mask that selects the scanlines whose filters use that neighbour. `mean` selects the
    /// scanlines with the filter `average`, which uses the mean of the left and the upper neighbour.
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
