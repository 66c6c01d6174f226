/// The beginning of a track's edit list (ISO/IEC 14496-12, 8.6.6), which tells when the first sample is shown.
struct MovieEdits {
    /// The time before the track begins, in units of the movie.
    private(set) var delay = 0
    /// The time in the track's samples at which the track begins, in units of the track.
    private(set) var mediaStart = 0

    /// The greatest number of edits that are read. Real lists have one or two before the first samples.
    private static let limit = 16

    init() {}

    /// Reads the edits in the contents of an `edts` box.
    init(_ reader: inout HeadReader, in payload: Range<Int>) throws(HeadError) {
        guard let list = try HEIFBoxes(&reader, in: payload)["elst"] else { return }
        var cursor = HeadCursor(list)
        let width = try cursor.versionAndFlags(from: &reader).version == 1 ? 8 : 4
        let count = try cursor.integer(4, from: &reader)
        for _ in 0..<min(count, Self.limit) {
            let duration = try cursor.integer(width, from: &reader)
            let start = try cursor.integer(width, from: &reader)
            try cursor.skip(4)
            // A start of -1 marks a stretch without samples.
            guard start == (width == 4 ? Int(UInt32.max) : .max) else {
                mediaStart = start
                return
            }
            let (sum, overflows) = delay.addingReportingOverflow(duration)
            delay = overflows ? .max : sum
        }
    }
}
