import ThumbwheelCore

/// The scans that must be read to make the planes of a JPEG with several scans, each plane at its scale.
struct JPEGScanList {
    struct Entry {
        let scan: JPEGScan
        /// The offset in the file at which the scan's entropy-coded data begin.
        let offset: Int
        /// For each of the scan's components, its Huffman code for DC differences; nil if neither the file nor the
        /// standard defines this code.
        let dcCodes: [HuffmanCode?]
        /// For each of the scan's components, its Huffman code for AC coefficients; nil if neither the file nor the
        /// standard defines this code.
        let acCodes: [HuffmanCode?]
        let restartInterval: Int
        /// Whether the decode reads the refinements of this scan. A refinement is a later scan that adds low bits to
        /// the coefficients of this scan.
        let isRefined: Bool
        /// Whether damage to this scan is ignored, because the decode can do without the scan. Optional scans exist
        /// only in a decode that leaves out the low bits of luma. They are read only to make the blocks that lie partly
        /// outside the image more accurate.
        var isOptional = false
    }

    /// The most scans that a file may have; a file with more is rejected. Encoders make about ten.
    static let limit = 64

    /// The scans to read, in the file's order. They hold the coefficients that the scales need, and those for the
    /// blocks at the image's edges.
    private(set) var entries: [Entry] = []
    /// For each component, 64 quantisation steps in zigzag order, as defined when the component's first scan began.
    private(set) var quantization: [[UInt16]?]
    /// The damage of a file whose scans lack needed coefficients; nil if there is none. An end-of-image marker makes a
    /// difference:
    /// - A file that ends without the marker has been cut off. It is damaged if it lacks any coefficient that the
    ///   scales of the planes need.
    /// - A file with the marker is complete, and coefficients that none of its scans contains are 0. It is damaged only
    ///   if a component has no DC coefficients.
    private(set) var damage: ScanPart.Damage?

    // For each component, the set of coefficients that its scale needs, with a bit for each coefficient in zigzag
    // order.
    private let kept: [UInt64]
    // For each component, the set of coefficients to read: those in `kept`, or all if blocks of the component lie
    // partly outside the image.
    private let wanted: [UInt64]
    private let readsRefinements: Bool
    // For each component, whether the decode reads the refinements of its AC coefficients. Refinements are scans that
    // add low bits to the coefficients of earlier scans.
    private let isRefined: [Bool]
    // For each component, 64 numbers, one for each coefficient in zigzag order. Each number is the lowest bit of the
    // coefficient that the listed scans contain, or -1 if they contain no bit of the coefficient.
    private var lowBits: [[Int]]

    /// Lists the scans up to the last needed one, without decoding any of them.
    ///
    /// - Parameters:
    ///   - input: the file, read up to the end of the first scan's header.
    ///   - edges: the blocks that are made from all their coefficients.
    ///   - readsRefinements: whether refinements of AC coefficients (scans with their low bits) are read. Without them,
    ///     a decode takes much less time.
    ///   - refinesChroma: whether refinements of chroma are read even if `readsRefinements` is false.
    init(
        _ input: JPEGInput, header: JPEGDecodeHeader, scales: PlaneScales, edges: EdgeBlocks? = nil,
        readsRefinements: Bool = true, refinesChroma: Bool = false, guardian: DecodeGuard
    ) throws(RenderError) {
        self.readsRefinements = readsRefinements
        kept = scales.planes.map { Self.corner(scale: $0.scale) }
        wanted = scales.planes.indices.map { index in
            edges?.planes[index] == nil ? Self.corner(scale: scales.planes[index].scale) : .max
        }
        isRefined = scales.planes.indices.map { readsRefinements || refinesChroma && $0 > 0 }
        quantization = Array(repeating: nil, count: header.frame.components.count)
        lowBits = Array(repeating: Array(repeating: -1, count: 64), count: header.frame.components.count)
        var tables = header.tables
        var scan = header.scan
        while true {
            guard entries.count < Self.limit else { throw .malformed(reason: "more than \(Self.limit) scans") }
            try append(scan, at: input.position, tables, header.frame)
            if has(wanted, refined: isRefined) { break }
            try input.skipEntropyCodedData(checking: guardian)
            let (next, endsImage) = try Self.nextScan(input, &tables, header.frame, guardian)
            guard let next else {
                let isRefined = isRefined.map { _ in readsRefinements }
                damage = endsImage ? lacksComponent : has(kept, refined: isRefined) ? nil : .truncated
                break
            }
            scan = next
        }
        dropUnneeded()
    }

    /// The set of the top-left `scale` × `scale` coefficients of a block, with a bit for each coefficient in zigzag
    /// order.
    static func corner(scale: Int) -> UInt64 {
        JPEGTables.naturalOrder.enumerated().reduce(0) { set, place in
            place.element % 8 < scale && place.element / 8 < scale ? set | 1 << UInt64(place.offset) : set
        }
    }

    private mutating func append(
        _ scan: JPEGScan, at offset: Int, _ tables: JPEGTables, _ frame: JPEGFrame
    ) throws(RenderError) {
        guard !frame.isProgressive || scan.isLegal else { throw .malformed(reason: "a scan of an impossible band") }
        for part in scan.components {
            let slot = frame.components[part.index].quantizationSlot
            if quantization[part.index] == nil, slot < 4 { quantization[part.index] = tables.quantization[slot] }
            for place in scan.spectralStart...scan.spectralEnd { lowBits[part.index][place] = scan.lowBit }
        }
        entries.append(
            Entry(
                scan: scan, offset: offset, dcCodes: scan.components.map { tables.dcCode($0.dcSlot) },
                acCodes: scan.components.map { tables.acCode($0.acSlot) }, restartInterval: tables.restartInterval,
                isRefined: scan.components.allSatisfy { isRefined[$0.index] }))
    }

    /// Whether the listed scans contain the coefficients in `sets`. All bits of each DC coefficient must be present.
    ///
    /// - Parameters:
    ///   - sets: for each component, the set of coefficients, with a bit for each coefficient in zigzag order.
    ///   - refined: for each component, whether all bits of its AC coefficients must be present. If not, the first bits
    ///     are enough.
    private func has(_ sets: [UInt64], refined: [Bool]) -> Bool {
        lowBits.indices.allSatisfy { index in
            let bits = lowBits[index]
            return bits.indices.allSatisfy { place in
                sets[index] >> UInt64(place) & 1 == 0 || bits[place] == 0
                    || bits[place] > 0 && place > 0 && !refined[index]
            }
        }
    }

    private var lacksComponent: ScanPart.Damage? {
        lowBits.contains { $0[0] < 0 } ? .malformed(reason: "a component without a scan") : nil
    }

    /// Reads up to the next scan's data, the end of the image or the end of the file, whichever comes first.
    private static func nextScan(
        _ input: JPEGInput, _ tables: inout JPEGTables, _ frame: JPEGFrame, _ guardian: DecodeGuard
    ) throws(RenderError) -> (scan: JPEGScan?, endsImage: Bool) {
        while let marker = try input.marker() {
            try guardian.check()
            switch marker {
            case 0xD9:
                return (nil, true)
            case 0x01, 0xD0...0xD7:
                continue
            case 0xC4, 0xDB, 0xDD, 0xDA:
                guard let contents = try input.segment() else { return (nil, false) }
                if marker == 0xDA { return (try JPEGScan(contents: contents, frame: frame), false) }
                try tables.read(marker: marker, contents: contents)
            case 0xC0...0xCF, 0xD8:
                throw .malformed(reason: "a second frame")
            default:
                try input.skipSegment()
            }
        }
        return (nil, false)
    }

    /// Drops the scans that need not be read. There are two kinds:
    /// - Refinements of components whose refinements are skipped. A refinement is a scan that adds low bits.
    /// - Scans whose band contains no wanted coefficient. But such a scan is kept if its band overlaps the band of a
    ///   later refinement that is read. To decode a refinement, it must be known which coefficients of the refinement's
    ///   whole band are still zero.
    private mutating func dropUnneeded() {
        var wanted = wanted
        var needed: [Entry] = []
        for var entry in entries.reversed() {
            let band = entry.scan.band
            let isBandRefinement = entry.scan.isRefinement && entry.scan.spectralStart > 0
            guard !isBandRefinement || isRefined[entry.scan.components[0].index] else { continue }
            guard entry.scan.components.contains(where: { wanted[$0.index] & band != 0 }) else { continue }
            entry.isOptional =
                !readsRefinements
                && (isBandRefinement || !entry.scan.components.contains { kept[$0.index] & band != 0 })
            needed.append(entry)
            if isBandRefinement { wanted[entry.scan.components[0].index] |= band }
        }
        entries = needed.reversed()
    }
}
