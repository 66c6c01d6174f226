import ThumbwheelCore

/// The facts about times in a fragmented movie, whose movie box has no samples (ISO/IEC 14496-12, 8.8 and 8.16).
struct MovieFragments {
    private let track: MovieTrack
    /// The duration of the movie in its own time unit; 0 if the file does not state it (`mehd`).
    private var duration = 0
    /// The usual duration of a sample in the time unit of the track; 0 if the file does not state it (`trex`).
    private var sampleDuration = 0
    /// The duration according to the segment index (`sidx`), in seconds.
    private var indexedSeconds: Double?
    private var firstFragment: Range<Int>?
    /// The last fragment of the file; nil if it was not found.
    private var lastFragment: Range<Int>?

    /// - Parameters:
    ///   - extends: the contents of the `mvex` box, which announces fragments.
    ///   - end: the end of the movie box; the fragments follow it.
    init(
        _ reader: inout HeadReader, of track: MovieTrack, in extends: Range<Int>, behind end: Int
    ) throws(HeadError) {
        self.track = track
        for box in try HEIFBoxes(&reader, in: extends).boxes {
            var cursor = HeadCursor(box.payload)
            let version = try cursor.versionAndFlags(from: &reader).version
            switch box.kind {
            case "mehd": duration = try cursor.integer(version == 1 ? 8 : 4, from: &reader)
            case "trex":
                guard try cursor.integer(4, from: &reader) == track.id else { continue }
                try cursor.skip(4)
                sampleDuration = try cursor.integer(4, from: &reader)
            default: break
            }
        }
        do throws(HeadError) {
            try findFragments(&reader, in: end..<reader.byteCount)
        } catch  where error.concernsBytes {
            // The facts before the damage are kept. The last fragment then remains unknown.
        }
    }

    private mutating func findFragments(_ reader: inout HeadReader, in range: Range<Int>) throws(HeadError) {
        var walk = HEIFBoxWalk(range)
        var last: Range<Int>?
        for _ in 0..<reader.fragmentLimit {
            guard let box = try walk.next(&reader) else {
                lastFragment = last
                return
            }
            try reader.enterPart()
            switch box.kind {
            case "sidx" where firstFragment == nil && indexedSeconds == nil:
                indexedSeconds = try Self.seconds(&reader, inIndex: box.payload)
            case "moof":
                firstFragment = firstFragment ?? box.payload
                last = box.payload
                // If the duration is already known, the other fragments are not needed.
                if duration > 0 || indexedSeconds != nil { return }
                if let found = try lastFragment(&reader) {
                    lastFragment = found
                    return
                }
            default: break
            }
        }
    }

    /// Returns the duration of all segments in an index, in seconds; nil if fragments follow that the index does not
    /// list.
    private static func seconds(_ reader: inout HeadReader, inIndex payload: Range<Int>) throws(HeadError) -> Double? {
        var cursor = HeadCursor(payload)
        let width = try cursor.versionAndFlags(from: &reader).version == 0 ? 4 : 8
        try cursor.skip(4)
        let timescale = try cursor.integer(4, from: &reader)
        try cursor.skip(width)
        var end = try cursor.integer(width, from: &reader)
        try cursor.skip(2)
        let count = try cursor.integer(2, from: &reader)
        var units = 0
        for _ in 0..<count {
            end = end.addingReportingOverflow(try cursor.integer(4, from: &reader) & 0x7FFF_FFFF).partialValue
            units += try cursor.integer(4, from: &reader)
            try cursor.skip(4)
        }
        let (place, overflows) = payload.upperBound.addingReportingOverflow(end)
        guard !overflows, place >= payload.upperBound else { return nil }
        if place <= reader.byteCount - 8 {
            // Some files have an index for each fragment, so this one may not be the only one.
            let next = try reader.code(at: place + 4)
            if ["moof", "sidx", "styp", "emsg", "prft", "mdat"].contains(next) { return nil }
        }
        return MovieHeader.seconds(units, of: timescale)
    }

    /// Returns the last fragment according to the index at the end of the file (`mfra`); nil if there is no such index.
    private func lastFragment(_ reader: inout HeadReader) throws(HeadError) -> Range<Int>? {
        let end = reader.byteCount
        guard end >= 16, try reader.matches("mfro", at: end - 12) else { return nil }
        let size = try reader.integer(at: end - 4, width: 4)
        guard 8...end ~= size else { return nil }
        for box in try HEIFBoxes(&reader, in: end - size + 8..<end).boxes where box.kind == "tfra" {
            var cursor = HeadCursor(box.payload)
            let width = try cursor.versionAndFlags(from: &reader).version == 1 ? 8 : 4
            guard try cursor.integer(4, from: &reader) == track.id else { continue }
            let lengths = try cursor.integer(4, from: &reader)
            let count = try cursor.integer(4, from: &reader)
            let numbers = (lengths >> 4 & 3) + (lengths >> 2 & 3) + (lengths & 3) + 3
            guard count > 0 else { return nil }
            try cursor.skip((count - 1) * (2 * width + numbers) + width)
            let place = try cursor.integer(width, from: &reader)
            guard place <= end else { return nil }
            var walk = HEIFBoxWalk(place..<end)
            guard let fragment = try walk.next(&reader), fragment.kind == "moof" else { return nil }
            return fragment.payload
        }
        return nil
    }

    /// Sets the duration and the frame rate of a `VideoHead`.
    func readTimes(
        _ reader: inout HeadReader, of movie: MovieHeader, into head: inout VideoHead
    ) throws(HeadError) {
        if head.frameRate == nil, let first = firstFragment {
            let run = try MovieRun(&reader, of: track.id, in: first, sampleDuration)
            if let seconds = MovieHeader.seconds(run.duration, of: track.timescale) {
                head.frameRate = MovieTrack.rate(run.count, seconds)
            }
        }
        if let seconds = MovieHeader.seconds(duration, of: movie.timescale) ?? indexedSeconds {
            head.duration = seconds
        } else if let last = lastFragment {
            let run = try MovieRun(&reader, of: track.id, in: last, sampleDuration)
            let (end, overflows) = run.start.addingReportingOverflow(run.duration)
            if !overflows, let seconds = MovieHeader.seconds(end, of: track.timescale) { head.duration = seconds }
        }
    }
}
