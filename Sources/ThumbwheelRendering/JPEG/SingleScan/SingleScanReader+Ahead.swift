import ThumbwheelCore

extension SingleScanReader {
    /// Where a scan is parted for an assistant, and from what size on.
    struct Sharing {
        static let usualMinimum = 1 << 20

        let assistants: any RenderAssistants
        /// Bytes of entropy-coded data; less is read before a thread has woken up to help.
        var minimumByteCount = usualMinimum
        /// Chooses the place among the bytes of the file; nil for the one that both are likely to end at the same time from.
        var place: ((Range<Int>) -> Int)?
    }

    /// What the assistant is to read of the data, at least: more than half, because the thread in front makes the pixels as
    /// well, of the runs that come as of its own.
    private static let shareAhead = 0.75

    /// Has an assistant begin with the later part of the data.
    ///
    /// - Parameters:
    ///   - bytes: of the file, those that will be needed, more or less.
    ///   - keptByteCount: of all their coefficients.
    func share(
        _ bytes: Range<Int>, of input: JPEGInput, components: [ScanLayout.Component], keptByteCount: Int,
        by sharing: Sharing
    ) {
        guard bytes.count >= sharing.minimumByteCount else { return }
        // What it has read by the time that the thread in front arrives is to be about what can be kept: of the time that a
        // byte costs that thread, to read it takes 0.6.
        let behind = 0.6 * Double(ScanAhead.keptByteCount) / Double(max(1, keptByteCount))
        let share = max(Self.shareAhead, 1 - behind)
        let wanted = sharing.place?(bytes) ?? bytes.upperBound - Int(share * Double(bytes.count))
        guard wanted > input.position, let offset = input.plainPlace(from: wanted) else { return }
        let ahead = ScanAhead(
            input.source, components: components, restartInterval: scan.restartInterval, at: offset,
            keepsTrails: scan.codes.marks != nil)
        guard sharing.assistants.start({ ahead.run(isWantedElsewhere: $0) }) else { return }
        self.ahead = ahead
        window.seamOffset = offset
    }

    /// To be called before the scan is let go of.
    func endAhead() {
        ahead?.end()
        if !hasJoinedAhead { ahead = nil }
    }

    /// The byte of the window from which on the units are an assistant's, if it is in the window already.
    var placeAhead: Int? {
        guard ahead != nil, let seam = window.seam else { return nil }
        return scan.restartInterval > 0 ? window.markers.first { $0 > seam } : seam
    }

    /// Looks whether the first part comes to where one of the assistant's units begins.
    func meetAhead(at place: Int, _ most: Int) -> Meeting {
        guard let ahead, let seam = window.seam, let starts = ahead.unitStarts(), let last = starts.last else {
            return .failed
        }
        let front = parts[0]
        while front.damage == nil {
            if scan.restartInterval > 0, !front.isBeforeMarker(at: place) { return .failed }
            let position = scan.restartInterval > 0 ? (place - seam) * 8 : front.bitPosition - seam * 8
            if let index = starts.firstIndex(of: position) {
                (hasJoinedAhead, skippedAhead) = (true, index)
                return .joined
            }
            if position > last { return .failed }
            guard front.run.count < most else { return .full }
            front.readUnit()
        }
        return .failed
    }
}

// MARK: - The assistant's

extension SingleScanReader {
    /// Reads the first units behind a place that was only guessed to begin one.
    ///
    /// - Returns: where each of them begins, in bits from that place; nil where nothing like a unit was found.
    func guessUnits() throws(RenderError) -> [Int]? {
        try refill()
        let front = parts[0]
        if scan.restartInterval > 0 {
            guard let marker = window.markers.first else { return nil }
            front.begin(at: marker, behind: 1)
            return [marker * 8]
        }
        var start = 0
        for _ in 0..<ScanFront.mostGuesses {
            front.begin(at: start, behind: 0)
            var starts: [Int] = []
            while front.damage == nil, starts.count < min(Self.patience.units, front.run.capacity),
                front.bitPosition < Self.patience.bytes * 8
            {
                starts.append(front.bitPosition)
                front.readUnit()
            }
            if front.damage == nil { return starts.isEmpty ? nil : starts }
            start = front.bitPosition / 8 + 1
        }
        return nil
    }
}

extension JPEGInput {
    /// The first place from `offset` on where neither a marker nor a stuffed byte can be cut in two; nil where there is none
    /// near it, or nothing can be read there.
    fileprivate func plainPlace(from offset: Int) -> Int? {
        guard let bytes = try? source.bytes(in: offset - 1..<offset + 255) else { return nil }
        let index = bytes.indices.dropFirst().first { bytes[$0 - 1] != 0xFF && bytes[$0] != 0xFF }
        return index.map { offset - 1 + $0 }
    }
}
