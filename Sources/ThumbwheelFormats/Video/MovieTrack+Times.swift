import ThumbwheelCore

extension MovieTrack {
    /// The greatest number of entries that are read of a time table.
    private static let entryLimit = 512

    /// Reads the frame rate and, if no header states it, the duration of the video.
    func readTimes(_ reader: inout HeadReader, into head: inout VideoHead) throws(HeadError) {
        guard let table = samples("stts") else { return }
        var cursor = HeadCursor(table)
        try cursor.skip(4)
        let entryCount = try cursor.integer(4, from: &reader)
        var (count, units) = (0, 0)
        for _ in 0..<min(entryCount, Self.entryLimit, cursor.rest.count / 8) {
            let run = try cursor.integer(4, from: &reader)
            // A product or sum that overflows can only come from a damaged table.
            let (length, overflows) = run.multipliedReportingOverflow(by: try cursor.integer(4, from: &reader))
            let (sum, sumOverflows) = units.addingReportingOverflow(length)
            guard !overflows, !sumOverflows else { break }
            (count, units) = (count + run, sum)
        }
        let isWhole = entryCount <= Self.entryLimit
        if isWhole, head.duration == 0 { head.duration = MovieHeader.seconds(units, of: timescale) ?? 0 }
        // A table of irregular times has one entry per frame, and may be too long to read. Then the average rate
        // follows from the number of samples.
        if !isWhole, let whole = mediaSeconds, let number = try sampleCount(&reader) {
            head.frameRate = Self.rate(number, whole)
        } else if let part = MovieHeader.seconds(units, of: timescale) {
            head.frameRate = Self.rate(count, part)
        }
    }

    /// The plausible rates, in frames per second.
    private static let rates = 0.001...100_000

    /// Returns the number of frames per second; nil if the rate is not plausible.
    static func rate(_ count: Int, _ seconds: Double) -> Double? {
        guard count > 0, seconds > 0 else { return nil }
        let rate = Double(count) / seconds
        return rates ~= rate ? rate : nil
    }

    /// Returns the number of samples according to the table of sample sizes (`stsz`); nil if the table is too short for
    /// that number.
    private func sampleCount(_ reader: inout HeadReader) throws(HeadError) -> Int? {
        guard let table = samples("stsz") else { return nil }
        let start = try table.subrange(at: 4, count: 8).lowerBound
        let size = try reader.integer(at: start, width: 4)
        let count = try reader.integer(at: start + 4, width: 4)
        return size != 0 || count <= (table.count - 12) / 4 ? count : nil
    }

    /// The time at which the first sample is shown, in seconds; nil if it is unknown or not plausible.
    func start(in movie: MovieHeader) -> Double? {
        guard movie.timescale > 0 else { return nil }
        let delay = Double(edits.delay) / Double(movie.timescale)
        let time = timescale > 0 ? delay - Double(edits.mediaStart) / Double(timescale) : delay
        return MovieHeader.believed(time)
    }
}
