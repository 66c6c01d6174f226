import ThumbwheelCore

/// The scans of a JPEG that has several, as far as its planes at their scales need them.
struct JPEGScanList {
    struct Entry {
        let scan: JPEGScan
        /// Where its entropy-coded data begin.
        let offset: Int
        /// The codes for each of its components; nil where the file defines none.
        let dcCodes: [HuffmanCode?]
        let acCodes: [HuffmanCode?]
        let restartInterval: Int
        /// Whether the bits that it leaves open come in a later scan that is read.
        let isRefined: Bool
        /// Whether a fast decode reads it for blocks at the image's edges alone. These come out a little worse without it.
        var isOptional = false
    }

    /// More are no picture: encoders make about ten.
    static let limit = 64

    /// Those that the scales need something of, in the file's order.
    private(set) var entries: [Entry] = []
    /// For each component, 64 steps in zigzag order, as they were when its first scan began.
    private(set) var quantization: [[UInt16]?]
    /// Why scans that would be needed are not there.
    private(set) var damage: ScanFront.Damage?

    // By component, the coefficients that its samples need (`kept`), and those that are read for its edge blocks as
    // well (`wanted`).
    private let kept: [UInt64]
    private let wanted: [UInt64]
    private let readsRefinements: Bool
    // For each component's coefficients in zigzag order, the lowest bit that is known; -1 where none is.
    private var lowBits: [[Int]]

    /// Looks for the scans up to the last that is needed, without decoding them.
    ///
    /// - Parameters:
    ///   - input: stands behind the first scan's header.
    ///   - edges: the blocks that need all their coefficients.
    ///   - readsRefinements: false to skip refinements of bands beyond the DC coefficients, which cost most of the
    ///     time.
    init(
        _ input: JPEGInput, header: JPEGDecodeHeader, scales: PlaneScales, edges: EdgeBlocks? = nil,
        readsRefinements: Bool = true, guardian: DecodeGuard
    ) throws(RenderError) {
        self.readsRefinements = readsRefinements
        kept = scales.planes.map { Self.corner(scale: $0.scale) }
        wanted = scales.planes.indices.map { index in
            edges?.planes[index] == nil ? Self.corner(scale: scales.planes[index].scale) : .max
        }
        quantization = Array(repeating: nil, count: header.frame.components.count)
        lowBits = Array(repeating: Array(repeating: -1, count: 64), count: header.frame.components.count)
        var tables = header.tables
        var scan = header.scan
        while true {
            guard entries.count < Self.limit else { throw .malformed(reason: "more than \(Self.limit) scans") }
            try append(scan, at: input.position, tables, header.frame)
            if has(wanted) { break }
            try input.skipEntropyCodedData(checking: guardian)
            let (next, endsImage) = try Self.nextScan(input, &tables, header.frame, guardian)
            guard let next else {
                damage = endsImage ? lacksComponent : has(kept) ? nil : .truncated
                break
            }
            scan = next
        }
        dropUnneeded()
    }

    /// The coefficients that a scale keeps: a bit for each, in zigzag order.
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
                isRefined: readsRefinements))
    }

    /// Whether each component's set of coefficients lacks no bit that is wanted.
    private func has(_ sets: [UInt64]) -> Bool {
        zip(lowBits, sets).allSatisfy { bits, kept in
            bits.indices.allSatisfy { place in
                kept >> UInt64(place) & 1 == 0 || bits[place] == 0 || bits[place] > 0 && place > 0 && !readsRefinements
            }
        }
    }

    private var lacksComponent: ScanFront.Damage? {
        lowBits.contains { $0[0] < 0 } ? .malformed(reason: "a component without a scan") : nil
    }

    /// Reads up to the next scan's data, or to the end of the image or of the file.
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

    /// Leaves out what adds nothing to the kept coefficients: bands beyond them, unless a refinement has to know which of
    /// their coefficients are zero.
    private mutating func dropUnneeded() {
        var wanted = wanted
        var needed: [Entry] = []
        for var entry in entries.reversed() {
            let band = entry.scan.band
            let isBandRefinement = entry.scan.isRefinement && entry.scan.spectralStart > 0
            guard readsRefinements || !isBandRefinement else { continue }
            guard entry.scan.components.contains(where: { wanted[$0.index] & band != 0 }) else { continue }
            entry.isOptional = !readsRefinements && !entry.scan.components.contains { kept[$0.index] & band != 0 }
            needed.append(entry)
            if isBandRefinement { wanted[entry.scan.components[0].index] |= band }
        }
        entries = needed.reversed()
    }
}
