import ThumbwheelCore

extension JPEGDecode {
    /// Decodes a file of several scans. One row of minimum coded units is read from every scan before the next row is
    /// read. So the memory grows with the length of a row and the number of scans, but not with the height of the
    /// image.
    func mergeScans(to consumer: any PlaneRowConsumer) throws(RenderError) -> End {
        let needed = NeededUnits(header.frame, scales: scales, consumer: consumer)
        let edges = readsEdges ? EdgeBlocks(header.frame, shownSize: shownSize, scales: scales, needed: needed) : nil
        let list = try JPEGScanList(
            input, header: header, scales: scales, edges: edges, readsRefinements: readsRefinements,
            refinesChroma: refinesChroma(needed), guardian: guardian)
        let output = try PlaneOutput(
            header.frame, quantization: list.quantization, scales: scales, needed: needed, edges: edges,
            consumer: consumer)
        means?.begin(quantization: list.quantization)
        let coefficients = CoefficientRow(header.frame, scales: scales, keepsWhole: edges != nil)
        let scans = try list.entries.map { entry throws(RenderError) in
            try MultiScanReader(entry, of: header.frame, input: input, row: coefficients)
        }
        for row in 0..<output.unitRows.upperBound {
            coefficients.clear()
            let isNeeded = row >= output.unitRows.lowerBound
            let firstWhole = (isNeeded ? edges?.firstColumn(inRow: row) : nil) ?? header.frame.units.width
            for scan in scans where scan.damage == nil {
                try guardian.check()
                try scan.readRow(isNeeded ? output.unitColumns : 0..<0, firstWhole: firstWhole)
            }
            coefficients.takeCorners(from: firstWhole)
            if isNeeded { output.take(coefficients.run, whole: coefficients.whole) }
            if !scans.contains(where: \.isDamaged) { means?.take(coefficients.run, row: row) }
        }
        let end = end(of: scans, list)
        try takeMeans(of: output.unitRows.upperBound..<header.frame.units.height, scans, coefficients)
        return end
    }

    /// Returns the offset in the file after the last byte that a decode of the whole image reads. Only for a file of
    /// several scans. This function and a decode both use up `input`. So only one of them can be called, and only once.
    func endOfNeededScans() throws(RenderError) -> Int {
        let needed = NeededUnits(all: header.frame)
        let list = try JPEGScanList(
            input, header: header, scales: scales,
            edges: readsEdges ? EdgeBlocks(header.frame, shownSize: shownSize, scales: scales, needed: needed) : nil,
            readsRefinements: readsRefinements, refinesChroma: refinesChroma(needed), guardian: guardian)
        guard let last = list.entries.last else { return input.position }
        input.position = max(input.position, last.offset)
        try input.skipEntropyCodedData(checking: guardian)
        // The readers of scans fill their buffers with bytes beyond the data that they decode, so these bytes are
        // needed as well.
        return input.position + JPEGInput.readAheadByteCount
    }

    /// Whether the decode reads the refinements of chroma even if it skips those of luma. Refinements are scans that
    /// add low bits to coefficients of earlier scans. True if the scale is at least `minimumEighthsOfRefinedChroma` and
    /// some needed chroma block lies partly outside the image.
    ///
    /// An encoder may have put arbitrary values into the part of such a block outside the image. The sharp border
    /// between these values and the image makes all coefficients of the block large. Without their low bits, the
    /// coefficients have errors that are seen in the part inside the image. The errors are seen most in chroma, for
    /// three reasons:
    /// - The quantisation steps of chroma are large.
    /// - Each sample of chroma covers several pixels.
    /// - An error in Cb changes blue by 1.8 times as much.
    ///
    /// At smaller scales than `minimumEighthsOfRefinedChroma`, the errors are averaged out. Refinements of chroma take
    /// little time to read, compared with those of luma.
    private func refinesChroma(_ needed: NeededUnits) -> Bool {
        readsEdges && scales.eighths >= Self.minimumEighthsOfRefinedChroma
            && EdgeBlocks.hasPartialChroma(header.frame, shownSize: shownSize, needed: needed)
    }

    private static let minimumEighthsOfRefinedChroma = 3

    /// Adds the rows of minimum coded units below the last needed row to `means`, which collects the DC coefficients of
    /// the whole image. From these rows, only scans that contain DC coefficients are read. Damage to these rows is not
    /// reported, because the needed rows do not depend on it.
    private func takeMeans(
        of rows: Range<Int>, _ scans: [MultiScanReader], _ coefficients: CoefficientRow
    ) throws(RenderError) {
        guard let means else { return }
        let scans = scans.filter { $0.scan.spectralStart == 0 }
        for row in rows {
            coefficients.clear()
            for scan in scans {
                try guardian.check()
                try scan.readRow(0..<0)
            }
            if scans.contains(where: { $0.damage != nil }) { return }
            means.take(coefficients.run, row: row)
        }
    }

    private func end(of scans: [MultiScanReader], _ list: JPEGScanList) -> End {
        func fraction(_ rowCount: Int) -> Double {
            min(1, Double(rowCount * 8 * header.frame.maximumVertical) / Double(header.frame.size.height))
        }
        // A row of minimum coded units counts as decoded if this row has been read from every scan that contains the
        // first bits of DC coefficients. All other scans only add detail.
        let shown = scans.filter { $0.scan.spectralStart == 0 && !$0.scan.isRefinement }.map(\.rowCount).min() ?? 0
        var end = End(decodedFraction: fraction(shown))
        let damaged = scans.first(where: \.isDamaged)
        switch damaged?.damage ?? list.damage {
        case .truncated: end.error = .truncated(decodedFraction: damaged.map { fraction($0.rowCount) } ?? 0)
        case .malformed(let reason): end.error = .malformed(reason: reason)
        case nil: end.decodedFraction = 1
        }
        return end
    }
}
