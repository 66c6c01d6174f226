import ThumbwheelCore

extension SingleScanReader {
    /// The rules by which a helper thread takes part in reading a scan. They name the idle threads that may help, the
    /// scans that are large enough, and the place where the helper thread begins to read.
    struct Sharing {
        static let defaultMinimumByteCount = 1 << 20

        let assistants: any RenderAssistants
        /// The least number of bytes of entropy-coded data for which a helper thread is used. A scan with fewer bytes
        /// than this would be read completely before a thread has woken up to help.
        var minimumByteCount = defaultMinimumByteCount
        /// A function that chooses the offset in the file at which the helper thread begins to read. The offset must
        /// lie in the given range. If there is no function, `share` computes the offset from the speeds of the two
        /// threads and from the memory for units that the helper has read ahead.
        var place: ((Range<Int>) -> Int)?
    }

    /// The helper thread reads at least this fraction of the data. It is more than half, because the decode's thread
    /// also makes the pixels of all minimum coded units.
    private static let shareAhead = 0.75

    /// Starts a helper thread on the later part of the data, if there are enough data and a thread is idle.
    ///
    /// - Parameters:
    ///   - bytes: approximately the range of the file that has to be read.
    ///   - coefficientByteCount: the number of bytes of memory for all coefficients that are coded in that range.
    func share(
        _ bytes: Range<Int>, of input: JPEGInput, components: [ScanLayout.Component], coefficientByteCount: Int,
        by sharing: Sharing
    ) {
        guard bytes.count >= sharing.minimumByteCount else { return }
        // `behind` is the fraction of the data before the part of the helper thread, which the decode's own thread
        // reads. The helper makes no pixels, so it takes only 0.6 times as long for the same amount of data. While the
        // decode's thread reads the fraction `behind`, the helper reads `behind / 0.6`. `behind` is chosen so that the
        // coefficients read by the helper in that time just fill its memory, `ScanAhead.keptByteLimit`.
        let behind = 0.6 * Double(ScanAhead.keptByteLimit) / Double(max(1, coefficientByteCount))
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

    /// Ends the helper thread's reading. Must be called before the reader is released.
    func endAhead() {
        ahead?.end()
        if !hasJoinedAhead { ahead = nil }
    }

    /// The offset in the buffered data at which the helper thread began to read minimum coded units. Nil if there is no
    /// helper thread, or if that offset is not in the buffer yet.
    var placeAhead: Int? {
        guard ahead != nil, let seam = window.seam else { return nil }
        return scan.restartInterval > 0 ? window.markers.first { $0 > seam } : seam
    }

    /// Reads the first part of the scan until it reaches a position at which the helper thread began a minimum coded
    /// unit. There the two parts meet, and the helper's units follow. The helper has listed the positions at which it
    /// began its first units. If reading passes the last position of this list, or meets damaged data, the parts cannot
    /// meet, and the result is `.failed`.
    ///
    /// - Parameters:
    ///   - place: the offset in the buffered data at which the helper thread began to read.
    ///   - most: the largest number of units in the first part's run. When the run has so many, reading stops, and the
    ///     result is `.full`.
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

// MARK: - Finding where the helper thread can begin to read

extension SingleScanReader {
    /// Finds the starts of minimum coded units in data that may begin in the middle of a unit. If the scan has restart
    /// markers, a unit begins after the first marker. If not, the reader guesses that a unit begins at a certain byte.
    /// To test the guess, it reads the first units from this byte on.
    ///
    /// - Returns: the starts of the units, in bits from the window's start. With restart markers, only the first start
    ///   is returned. Nil if no start was found.
    func guessUnits() throws(RenderError) -> [Int]? {
        try refill()
        let front = parts[0]
        if scan.restartInterval > 0 {
            guard let marker = window.markers.first else { return nil }
            front.begin(at: marker, behind: 1)
            return [marker * 8]
        }
        var start = 0
        for _ in 0..<ScanPart.attemptLimit {
            front.begin(at: start, behind: 0)
            var starts: [Int] = []
            while front.damage == nil, starts.count < min(Self.guessLimit.units, front.run.capacity),
                front.bitPosition < Self.guessLimit.bytes * 8
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
    /// The first offset, not less than `offset`, at which the data can be divided without cutting a marker or a stuffed
    /// byte in two. Nil if there is no such offset in the next 255 bytes, or if the source cannot be read.
    fileprivate func plainPlace(from offset: Int) -> Int? {
        guard let bytes = try? source.bytes(in: offset - 1..<offset + 255) else { return nil }
        let index = bytes.indices.dropFirst().first { bytes[$0 - 1] != 0xFF && bytes[$0] != 0xFF }
        return index.map { offset - 1 + $0 }
    }
}
