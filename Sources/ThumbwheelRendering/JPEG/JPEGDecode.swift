import ThumbwheelCore

/// One decode of a JPEG to planes at a reduced scale, one row of minimum coded units at a time.
///
/// Covers 8-bit sequential and progressive Huffman coding of 1 and 3 components (ITU-T T.81). The memory is
/// proportional to a row of units and to the number of scans. If a helper thread reads part of a large scan ahead, the
/// coefficients that wait to be used take additional memory.
final class JPEGDecode {
    let header: JPEGDecodeHeader
    private(set) var scales: PlaneScales
    let input: JPEGInput
    let guardian: DecodeGuard

    /// The rule by which a single scan is divided into parts, which the entropy decoder reads alternately. Tests let
    /// the parts begin at any byte.
    var splitting = SingleScanReader.Splitting.even

    /// The idle threads that may read part of a large scan ahead; nil if there are none.
    var sharing: SingleScanReader.Sharing?

    /// Whether the scans that refine AC coefficients of a progressive file are read. The scans that refine DC
    /// coefficients are always read.
    var readsRefinements = true

    /// Whether the blocks that lie partly outside the image are made from all their coefficients. At a reduced scale,
    /// all other blocks need only low frequencies. If this is false, scans of a progressive file that no other blocks
    /// need are skipped.
    var readsEdges = true

    /// The size of the part of the frame that belongs to the image. A tile at the edge of a TIFF's page may have more rows
    /// and columns than the page.
    var shownSize: PixelSize

    /// Collects the DC coefficients of the whole image, including those outside the needed rows. A picture of a few
    /// pixels is made from them, for a ThumbHash. Nil if no ThumbHash is wanted.
    var means: BlockMeans?

    /// Prepares the decode of a JPEG, and reads the file up to the first scan's data.
    ///
    /// - Parameter hasCoarseChroma: whether chroma that the file stores at half of luma's resolution stays at half in
    ///   the decode.
    /// - Returns: nil for kinds of JPEG that this decoder does not support.
    init?(
        _ bytes: any ByteSource, eighths: Int, hasCoarseChroma: Bool = false, keepsProfile: Bool = false,
        guardian: DecodeGuard
    ) throws(RenderError) {
        input = JPEGInput(bytes, checking: guardian)
        guard let header = try JPEGDecodeHeader(input, keepsProfile: keepsProfile) else { return nil }
        self.header = header
        self.guardian = guardian
        shownSize = header.frame.size
        scales = PlaneScales(header.frame, eighths: eighths, hasCoarseChroma: hasCoarseChroma && !header.isRGB)
    }

    /// The size of the decoded image, at the scale of this decode.
    var size: PixelSize {
        let full = header.frame.size
        return PixelSize(
            width: (full.width * scales.eighths + 7) / 8, height: (full.height * scales.eighths + 7) / 8)
    }

    /// Changes the scale at which rows are made, in eighths of full size. Must be called before any row is made.
    func scale(to eighths: Int, hasCoarseChroma: Bool) {
        scales = PlaneScales(header.frame, eighths: eighths, hasCoarseChroma: hasCoarseChroma && !header.isRGB)
    }

    typealias End = DecodeEnd

    /// Decodes the rows that the consumer needs, with the samples of all planes brought to the image's scale. Must be
    /// called at most once.
    func forEachRow(to consumer: any SampleRowConsumer) -> End {
        forEachRow(to: PixelAssembler(scales, size: size, consumer: consumer))
    }

    /// Decodes the rows that the consumer needs, each plane at its own scale. Must be called at most once.
    func forEachRow(to consumer: any PlaneRowConsumer) -> End {
        do throws(RenderError) {
            return header.isSingleScan ? try streamRows(to: consumer) : try mergeScans(to: consumer)
        } catch {
            return End(error: error)
        }
    }

    /// Makes the entropy decoder of a file with a single scan. The decoder is at the start of the scan's data.
    ///
    /// - Parameters:
    ///   - neededFraction: the fraction of the image's height, from the top, that is needed.
    ///   - keepsTrails: whether a copy of the entropy-coded data is kept with the decoded minimum coded units, so that
    ///     some units can be read a second time.
    func openSingleScan(
        neededFraction: Double = 1, keepsTrails: Bool = false
    ) throws(RenderError) -> SingleScanReader {
        let components = try scanComponents { scales.planes[$0].scale }
        let start = input.position
        let scan = SingleScanReader(
            input, components: components, restartInterval: header.tables.restartInterval, splitting: splitting,
            unitCount: header.frame.units.width * header.frame.units.height, keepsTrails: keepsTrails)
        if let sharing {
            let byteCount = Int(Double(input.byteCount - start) * neededFraction)
            let units = header.frame.units
            scan.share(
                start..<start + byteCount, of: input, components: components,
                coefficientByteCount: Int(
                    Double(2 * scan.scratch.unitSampleCount * units.width * units.height) * neededFraction),
                by: sharing)
        }
        return scan
    }

    /// Returns the components of the first scan with their lookup tables.
    ///
    /// - Parameter scale: returns the scale of a component's blocks, given the component's index.
    private func scanComponents(scale: (Int) -> Int) throws(RenderError) -> [ScanLayout.Component] {
        try header.scan.components.map { part throws(RenderError) in
            let component = header.frame.components[part.index]
            guard let dc = header.tables.dcCode(part.dcSlot), let ac = header.tables.acCode(part.acSlot) else {
                throw .malformed(reason: "a scan without its Huffman table")
            }
            return ScanLayout.Component(
                index: part.index, horizontal: component.horizontal, vertical: component.vertical,
                scale: scale(part.index), dc: SingleScanTable.cached(for: dc, isAC: false),
                ac: SingleScanTable.cached(for: ac, isAC: true))
        }
    }

    private func streamRows(to consumer: any PlaneRowConsumer) throws(RenderError) -> End {
        let quantization = header.frame.components.map { component in
            component.quantizationSlot < 4 ? header.tables.quantization[component.quantizationSlot] : nil
        }
        let needed = NeededUnits(header.frame, scales: scales, consumer: consumer)
        let edges = readsEdges ? EdgeBlocks(header.frame, shownSize: shownSize, scales: scales, needed: needed) : nil
        let output = try PlaneOutput(
            header.frame, quantization: quantization, scales: scales, needed: needed, edges: edges, consumer: consumer)
        means?.begin(quantization: quantization)
        let width = header.frame.units.width
        let first = output.unitRows.lowerBound * width
        let end = output.unitRows.upperBound * width
        // Reads all rows of the image if `means` is wanted, because `means` collects the DC coefficients of the whole
        // image. If `means` is nil, reading ends after the last needed row. In both cases, damage below the last needed
        // row is not reported, because no needed row depends on it.
        let all = header.frame.units.height * width
        let last = means == nil ? end : all
        let scan = try openSingleScan(
            neededFraction: Double(last) / Double(all), keepsTrails: edges != nil)
        defer { scan.endAhead() }
        if let edges {
            output.edgeUnits = EdgeUnits(
                try scanComponents { edges.planes[$0] == nil ? 1 : 8 }, runComponents: scan.scan.components)
        }
        var predictions: [Int16] = Array(repeating: 0, count: header.scan.components.count)
        var unit = 0
        var row = 0
        while unit < last {
            if unit / width != row {
                row = unit / width
                try guardian.check()
            }
            // Outside the needed rows, only DC coefficients are kept. Above the needed rows, they are kept because
            // later DC coefficients are coded as differences from them. Below the needed rows, they are kept only for
            // `means`.
            let keeps = unit >= first && unit < end
            let run = try scan.next((keeps ? end : unit < first ? first : last) - unit, keepsCoefficients: keeps)
            // A helper thread that reads ahead does not know how many minimum coded units the image has, so its run of
            // units may go beyond the image's last unit.
            run.count = min(run.count, run.start + all - unit)
            run.accumulate(&predictions)
            means?.take(run, from: unit)
            let count = run.count - run.start
            if unit + count > first, unit < end { output.take(run, skipping: max(0, first - unit)) }
            unit += count
            guard unit < last, let damage = scan.damage else { continue }
            if unit >= end { break }
            output.finish()
            let fraction = min(
                1, Double(unit / width * 8 * header.frame.maximumVertical) / Double(header.frame.size.height))
            switch damage {
            case .truncated: return End(decodedFraction: fraction, error: .truncated(decodedFraction: fraction))
            case .malformed(let reason): return End(decodedFraction: fraction, error: .malformed(reason: reason))
            }
        }
        return End(decodedFraction: 1)
    }
}
