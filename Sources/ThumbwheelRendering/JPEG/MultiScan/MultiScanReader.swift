import ThumbwheelCore

/// Reads one scan of a file with several scans, a row of minimum coded units at a time. A scan of a progressive file
/// contains a band of coefficients, or one bit of each coefficient of a band (ITU-T T.81, annex G). A scan of a
/// sequential file contains all coefficients of some components.
final class MultiScanReader {
    /// Blocks that are read in the same way along a row of minimum coded units, together with the tables by which they
    /// are read. In a scan of several components, they are the blocks at one position in each unit, such as the upper
    /// left luma blocks. In a scan of one component, they are all blocks of one line.
    struct Target {
        /// The address of the DC coefficient of this target's block in the first minimum coded unit of the row.
        let coefficients: UnsafeMutablePointer<Int16>
        /// The address of the history of this target's block in the first minimum coded unit of the row. A block's
        /// history is the set of its coefficients that are not zero so far, with a bit for each zigzag position.
        let history: UnsafeMutablePointer<UInt64>
        /// The distance from a block to the block at the same position in the next minimum coded unit, in blocks.
        let step: Int
        /// The entries of a `SlotTable`. Entry `place`, from 1 to 64, is the distance, in coefficients, from a block's
        /// DC coefficient to the memory of the coefficient with the zigzag position `place - 1`. Entry 0 is the
        /// distance to the memory that all dropped coefficients share.
        let slots: UnsafePointer<Int32>
        /// The last zigzag position whose coefficient is stored.
        let lastKept: Int
        /// The set of zigzag positions whose coefficients are stored, with a bit for each position.
        let corner: UInt64
        /// The component's latest DC coefficient, without the low bits that the scan lacks. All blocks of the component
        /// share this value.
        let prediction: UnsafeMutablePointer<Int>
        // The table for DC differences. This reference does not retain the table, because reference counting would slow
        // down the inner loops. The reader owns the table.
        let dc: Unmanaged<MultiScanTable>
        // The table for AC coefficients. This reference does not retain the table either; the reader owns it.
        let ac: Unmanaged<MultiScanTable>
        let dcEntries: UnsafePointer<UInt32>
        let acEntries: UnsafePointer<UInt32>
        let runs: UnsafePointer<UInt64>?
        let transform: MultiScanTable.PointTransform
        let isSequential: Bool

        /// The set of all zigzag positions up to `lastKept`, with a bit for each position. Not all of their
        /// coefficients are stored. But in a refinement, the correction bits of dropped coefficients lie between those
        /// of stored ones, so both kinds are passed in order.
        var upToLastKept: UInt64 { UInt64.max &>> UInt64(63 &- lastKept) }
    }

    let scan: JPEGScan
    let isSequential: Bool
    var bits: EntropyBits
    /// The range of minimum coded units in each line whose coefficients are wanted. In a scan of a single component,
    /// the range counts blocks. Coefficients outside the range need not be stored. But their data must be read, because
    /// the place of later units in the data is not known without them.
    private(set) var neededUnits = 0..<0
    /// The number of following blocks in which this scan makes no coefficient of the band nonzero. It is above 0 after
    /// an end-of-band run, a code that ends the band in many blocks at once.
    var endRun = 0
    /// The damage that has stopped the reader; nil if there is none.
    private(set) var damage: ScanPart.Damage?
    private let isOptional: Bool
    /// The number of rows of minimum coded units that have been read.
    private(set) var rowCount = 0

    /// Whether damage has stopped the reader, so that samples lack coefficients. Damage to an optional scan is ignored.
    var isDamaged: Bool { damage != nil && !isOptional }

    private let input: JPEGInput
    private var inputPosition: Int
    private let window: EntropyWindow
    private var markerCount = 0
    private let restartInterval: Int
    private var intervalLeft: Int
    // The scan's width. It is counted in minimum coded units if the scan has several components, and in blocks if it
    // has a single component.
    private let width: Int
    // The scan's height, counted in minimum coded units or blocks like `width`.
    private let height: Int
    // The number of columns of this scan in one minimum coded unit of the image. In a scan of several components, a
    // column is one unit, so the number is 1. In a scan of a single component, a column is one block, so the number is
    // that of the component's blocks side by side in a unit.
    private let columnsPerUnit: Int
    // The blocks to read in a row of minimum coded units, as one or more lists. The lists are read one after the other,
    // each for the whole row. A scan of several components has a single list, which names all blocks of a unit in the
    // order of the data. A scan of a single component has one list for each line of blocks, with a single entry.
    private let lines: [[Target]]
    // The counterpart of `lines` for minimum coded units that keep all coefficients of their blocks. The lists are in
    // the same order. Empty if there are no such units.
    private let wholeLines: [[Target]]
    // The coefficient row and the tables. This object retains them because the targets point into their memory.
    private let row: CoefficientRow
    private let tables: [MultiScanTable]
    private let predictions: UnsafeMutableBufferPointer<Int>

    /// Makes the reader of a scan. It stands at the start of the scan's data.
    ///
    /// - Parameter input: the file, which the readers of other scans use as well.
    init(
        _ entry: JPEGScanList.Entry, of frame: JPEGFrame, input: JPEGInput, row: CoefficientRow
    ) throws(RenderError) {
        scan = entry.scan
        isOptional = entry.isOptional
        isSequential = !frame.isProgressive
        self.input = input
        self.row = row
        inputPosition = entry.offset
        window = EntropyWindow(input)
        bits = EntropyBits(at: window.bytes)
        restartInterval = entry.restartInterval
        intervalLeft = restartInterval > 0 ? restartInterval : .max
        let tables = try scan.components.indices.map { part throws(RenderError) in
            try Self.tables(entry, part, isSequential: !frame.isProgressive)
        }
        predictions = .allocate(capacity: tables.count)
        predictions.initialize(repeating: 0)
        self.tables = tables.flatMap { [$0.dc, $0.ac] }
        let start = predictions.baseAddress!
        lines = Self.lines(of: entry, frame, row, keepsAllCoefficients: false, tables: tables, predictions: start)
        wholeLines =
            row.whole == nil
            ? [] : Self.lines(of: entry, frame, row, keepsAllCoefficients: true, tables: tables, predictions: start)
        if scan.components.count > 1 {
            columnsPerUnit = 1
            width = frame.units.width
            height = frame.units.height
        } else {
            // Counts the size in blocks, because this scan has a single component. Such a scan does not contain the
            // blocks that only fill up minimum coded units outside the image. So its size need not be a whole number of
            // units.
            columnsPerUnit = frame.components[scan.components[0].index].horizontal
            width = frame.components[scan.components[0].index].blocks.width
            height = frame.components[scan.components[0].index].blocks.height
        }
    }

    deinit {
        predictions.deallocate()
    }

    private static func lines(
        of entry: JPEGScanList.Entry, _ frame: JPEGFrame, _ row: CoefficientRow, keepsAllCoefficients: Bool,
        tables: [(dc: MultiScanTable, ac: MultiScanTable)], predictions: UnsafeMutablePointer<Int>
    ) -> [[Target]] {
        let isInterleaved = entry.scan.components.count > 1
        let run = keepsAllCoefficients ? row.whole ?? row.run : row.run
        var targets: [[Target]] = []
        for (part, place) in entry.scan.components.enumerated() {
            let component = frame.components[place.index]
            let (dc, ac) = tables[part]
            let slots = keepsAllCoefficients ? row.wholeSlots[place.index] : row.slots[place.index]
            for line in 0..<component.vertical {
                let columns = isInterleaved ? component.horizontal : 1
                targets.append(
                    (0..<columns).map { column in
                        Target(
                            coefficients: run.row(line, of: place.index) + column,
                            history: row.history(line, of: place.index) + column, step: columns,
                            slots: slots.entries, lastKept: slots.lastKept,
                            corner: JPEGScanList.corner(scale: keepsAllCoefficients ? 8 : row.scales[place.index]),
                            prediction: predictions + part,
                            dc: .passUnretained(dc), ac: .passUnretained(ac), dcEntries: dc.entries,
                            acEntries: ac.entries, runs: ac.runs.map { UnsafePointer($0) },
                            transform: ac.transform, isSequential: !frame.isProgressive)
                    })
            }
        }
        return isInterleaved ? [targets.flatMap(\.self)] : targets
    }

    private static func tables(
        _ entry: JPEGScanList.Entry, _ part: Int, isSequential: Bool
    ) throws(RenderError) -> (dc: MultiScanTable, ac: MultiScanTable) {
        let scan = entry.scan
        let needsDC = scan.spectralStart == 0 && !scan.isRefinement
        let needsAC = scan.spectralEnd > 0
        let purpose: MultiScanTable.Purpose = isSequential ? .coefficients : scan.isRefinement ? .nextBit : .firstBits
        func table(_ code: HuffmanCode?, for purpose: MultiScanTable.Purpose) -> MultiScanTable? {
            code.map { MultiScanTable($0, for: purpose, low: scan.lowBit, isRefined: entry.isRefined) }
        }
        guard let dc = needsDC ? table(entry.dcCodes[part], for: .differences) : .empty,
            let ac = needsAC ? table(entry.acCodes[part], for: purpose) : .empty
        else { throw .malformed(reason: "a scan without its Huffman table") }
        return (dc, ac)
    }

    // MARK: Reading rows

    /// Reads the next row of minimum coded units, and adds the scan's bits to the coefficients of that row.
    ///
    /// - Parameters:
    ///   - columns: the columns of units whose coefficients are wanted.
    ///   - firstWhole: the column of the first unit for which all coefficients are kept. All coefficients of the units
    ///     to its right are kept, too. Nil if there is no such unit.
    func readRow(_ columns: Range<Int>, firstWhole: Int? = nil) throws(RenderError) {
        let firstWhole = wholeLines.isEmpty ? width : firstWhole.map { $0 * columnsPerUnit } ?? width
        neededUnits = columns.lowerBound * columnsPerUnit..<columns.upperBound * columnsPerUnit
        for (index, line) in lines.enumerated() where damage == nil && rowCount * lines.count + index < height {
            try read(line, whole: wholeLines.isEmpty ? line : wholeLines[index], from: firstWhole)
        }
        if damage == nil { rowCount += 1 }
    }

    /// Reads one line of minimum coded units, or of blocks if the scan has a single component.
    ///
    /// - Parameters:
    ///   - line: the blocks to read in each unit to the left of `firstWhole`. Only the coefficients that the scale
    ///     needs are kept.
    ///   - whole: the blocks to read in the unit `firstWhole` and in each unit to its right. All their coefficients are
    ///     kept.
    ///   - firstWhole: the index of the first unit that keeps all coefficients. It counts blocks if the scan has a
    ///     single component.
    private func read(_ line: [Target], whole: [Target], from firstWhole: Int) throws(RenderError) {
        var unit = 0
        while unit < width, damage == nil {
            if !window.endsScan, bytePosition > window.count - EntropyWindow.slack { try fill() }
            if intervalLeft == 0 { restart() }
            if damage != nil { return }
            let end = nextMarker ?? (window.endsScan ? window.count : nil)
            let limit = UInt(bitPattern: window.bytes + (end ?? window.count - EntropyWindow.slack)) &* 8
            let last = unit < firstWhole ? min(width, firstWhole) : width
            let wanted = unit..<min(last, unit + min(width, intervalLeft))
            let targets = unit < firstWhole ? line : whole
            let reached = targets.withUnsafeBufferPointer { read($0, wanted, limit: limit) }
            if restartInterval > 0 { intervalLeft -= (reached ?? unit) - unit }
            if let end, bitPosition > end * 8 {
                damage = nextMarker == nil ? .truncated : .malformed(reason: "a restart interval cut short")
            } else if reached == nil {
                damage = .malformed(reason: "entropy-coded data that no code fits")
            }
            unit = reached ?? width
        }
    }

    /// Reads the minimum coded units in `units`. Reading stops early after a unit that ends beyond `limit`.
    ///
    /// - Parameter limit: a position in the data in memory, counted in bits: eight times the address of a byte, plus
    ///   the number of the bit in the byte.
    /// - Returns: the index of the unit after the last one that was read; nil if the data match no code.
    private func read(_ targets: UnsafeBufferPointer<Target>, _ units: Range<Int>, limit: UInt) -> Int? {
        if isSequential { return readCoefficients(targets, units, limit: limit) }
        switch (scan.spectralStart == 0, scan.isRefinement) {
        case (true, false): return readDifferences(targets, units, limit: limit)
        case (true, true): return readNextDCBits(targets, units, limit: limit)
        case (false, false): return readFirstBits(targets[0], units, limit: limit)
        case (false, true): return readNextBits(targets[0], units, limit: limit)
        }
    }

    // MARK: The position in the data, and loading more data

    private var bitPosition: Int { Int(bits.address &- UInt(bitPattern: window.bytes) &* 8) }
    private var bytePosition: Int { bitPosition / 8 }
    private var nextMarker: Int? { markerCount < window.markers.count ? window.markers[markerCount] : nil }

    private func fill() throws(RenderError) {
        let offset = bytePosition
        input.position = inputPosition
        try window.advance(to: offset, passing: markerCount)
        inputPosition = input.position
        markerCount = 0
        bits = EntropyBits(address: bits.address &- UInt(bitPattern: offset &* 8))
    }

    /// Begins the next restart interval. If a restart marker is at most 8 bytes ahead, reading goes on after this
    /// marker. If not, reading goes on at the current position. But if the scan's data end at the current position,
    /// reading stops with damage.
    private func restart() {
        intervalLeft = restartInterval
        endRun = 0
        predictions.update(repeating: 0)
        let place = (bitPosition + 7) / 8
        if let marker = nextMarker, marker - place <= 8 {
            markerCount += 1
            bits = EntropyBits(at: window.bytes + marker)
        } else if window.endsScan, window.count <= place {
            damage = .truncated
        }
    }
}
