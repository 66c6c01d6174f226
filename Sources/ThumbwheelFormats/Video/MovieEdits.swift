/// The first edits of a track's edit list (ISO/IEC 14496-12, 8.6.6). They tell when the first sample is shown.
struct MovieEdits {
    /// The time before the track begins, in the time unit of the movie.
    private(set) var delay = 0
    /// The media time at which the track begins, in the time unit of the track.
    private(set) var mediaStart = 0

    /// The number of edits in the whole list.
    var count = 0

    /// The greatest number of edits that are read. Real lists have one or two edits before the first samples.
    private static let limit = 16

    init() {}

    /// Reads the edits in the contents of an `edts` box.
    init(_ reader: inout HeadReader, in payload: Range<Int>) throws(HeadError) {
        guard let list = try HEIFBoxes(&reader, in: payload)["elst"] else { return }
        var cursor = HeadCursor(list)
        let width = try cursor.versionAndFlags(from: &reader).version == 1 ? 8 : 4
        count = min(try cursor.integer(4, from: &reader), cursor.rest.count / (2 * width + 4))
        for _ in 0..<min(count, Self.limit) {
            let duration = try cursor.integer(width, from: &reader)
            let start = try cursor.integer(width, from: &reader)
            try cursor.skip(4)
            // A start of -1 marks an empty edit, which shows no samples.
            guard start == (width == 4 ? Int(UInt32.max) : .max) else {
                mediaStart = start
                return
            }
            let (sum, overflows) = delay.addingReportingOverflow(duration)
            delay = overflows ? .max : sum
        }
    }
}
