/// The samples of a track in one fragment: the start time, the number and the duration.
struct MovieRun {
    /// The time of the first sample, in the time unit of the track.
    private(set) var start = 0
    private(set) var count = 0
    /// The duration of all samples, in the time unit of the track.
    private(set) var duration = 0

    private enum Flag {
        // Flags of the boxes `tfhd` (the first three) and `trun` (the others).
        static let baseOffset = 0x01
        static let description = 0x02
        static let defaultDuration = 0x08
        static let dataOffset = 0x001
        static let firstFlags = 0x004
        static let duration = 0x100
        static let size = 0x200
        static let flags = 0x400
        static let offset = 0x800
    }

    /// - Parameters:
    ///   - track: the number of the track.
    ///   - fragment: the contents of a `moof` box.
    ///   - sampleDuration: the duration of samples for which the fragment states none.
    init(
        _ reader: inout HeadReader, of track: Int, in fragment: Range<Int>, _ sampleDuration: Int
    ) throws(HeadError) {
        for box in try HEIFBoxes(&reader, in: fragment).boxes where box.kind == "traf" {
            let boxes = try HEIFBoxes(&reader, in: box.payload)
            guard let header = boxes["tfhd"] else { continue }
            var cursor = HeadCursor(header)
            let flags = try cursor.versionAndFlags(from: &reader).flags
            guard try cursor.integer(4, from: &reader) == track else { continue }
            if flags & Flag.baseOffset != 0 { try cursor.skip(8) }
            if flags & Flag.description != 0 { try cursor.skip(4) }
            let usual = flags & Flag.defaultDuration != 0 ? try cursor.integer(4, from: &reader) : sampleDuration
            if let time = boxes["tfdt"] {
                var cursor = HeadCursor(time)
                let width = try cursor.versionAndFlags(from: &reader).version == 1 ? 8 : 4
                start = try cursor.integer(width, from: &reader)
            }
            for run in boxes.boxes where run.kind == "trun" { try add(&reader, run.payload, usual) }
            return
        }
    }

    private mutating func add(_ reader: inout HeadReader, _ run: Range<Int>, _ usual: Int) throws(HeadError) {
        var cursor = HeadCursor(run)
        let flags = try cursor.versionAndFlags(from: &reader).flags
        let count = try cursor.integer(4, from: &reader)
        guard flags & Flag.duration != 0 else {
            let (length, overflows) = count.multipliedReportingOverflow(by: usual)
            let (sum, sumOverflows) = duration.addingReportingOverflow(length)
            guard !overflows, !sumOverflows else { throw .malformed(reason: "a run of \(count) samples") }
            duration = sum
            self.count += count
            return
        }
        if flags & Flag.dataOffset != 0 { try cursor.skip(4) }
        if flags & Flag.firstFlags != 0 { try cursor.skip(4) }
        let rest = [Flag.size, Flag.flags, Flag.offset].count { flags & $0 != 0 } * 4
        for _ in 0..<count {
            let (sum, overflows) = duration.addingReportingOverflow(try cursor.integer(4, from: &reader))
            guard !overflows else { throw .malformed(reason: "a run of \(count) samples") }
            duration = sum
            try cursor.skip(rest)
        }
        self.count += count
    }
}
