import ThumbwheelCore

extension SingleScanReader {
    /// Tells which assistants may read part of a scan, from what size of scan on, and where their part begins.
    struct Sharing {
        static let usualMinimum = 1 << 20

        let assistants: any RenderAssistants
        /// The number of bytes of entropy-coded data from which on sharing is worth it: less is read before a thread has
        /// woken up to help.
        var minimumByteCount = usualMinimum
        /// Chooses the place at which the assistant's part begins among the bytes of the file; nil for the place from which
        /// both threads are likely to end at the same time.
        var place: ((Range<Int>) -> Int)?
    }

    /// The least share of the data for the assistant. It is more than half, because the thread in front also makes the
    /// pixels, of the assistant's units as well as of its own.
    private static let shareAhead = 0.75

    /// Starts an assistant on the later part of the data.
    ///
    /// - Parameters:
    ///   - bytes: the range of the file's bytes that will be needed, approximately.
    ///   - keptByteCount: the bytes that all coefficients of that range take in memory.
    func share(
        _ bytes: Range<Int>, of input: JPEGInput, components: [ScanLayout.Component], keptByteCount: Int,
        by sharing: Sharing
    ) {
        guard bytes.count >= sharing.minimumByteCount else { return }
        // By the time that the thread in front arrives, the assistant should have read about as much as can be kept.
        // Reading takes 0.6 of the time that the thread in front spends on a byte.
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

    /// Ends the assistant's reading. Must be called before the scan is released.
    func endAhead() {
        ahead?.end()
        if !hasJoinedAhead { ahead = nil }
    }

    /// The place in the window from which on the assistant reads the units; nil if the window does not hold it yet or there
    /// is no assistant.
    var placeAhead: Int? {
        guard ahead != nil, let seam = window.seam else { return nil }
        return scan.restartInterval > 0 ? window.markers.first { $0 > seam } : seam
    }

    /// Reads on in the first part until it stands where one of the assistant's units begins, or must have missed them.
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
    /// Reads the first units behind a place that is only guessed to begin a unit.
    ///
    /// - Returns: the start of each unit read, in bits from the window's start; nil if nothing like a unit was found.
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
    /// The first place from `offset` on that cuts neither a marker nor a stuffed byte in two; nil if there is no such place
    /// nearby or the source cannot be read.
    fileprivate func plainPlace(from offset: Int) -> Int? {
        guard let bytes = try? source.bytes(in: offset - 1..<offset + 255) else { return nil }
        let index = bytes.indices.dropFirst().first { bytes[$0 - 1] != 0xFF && bytes[$0] != 0xFF }
        return index.map { offset - 1 + $0 }
    }
}
