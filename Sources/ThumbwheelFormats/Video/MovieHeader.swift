/// The facts in the header of a movie (`mvhd`; ISO/IEC 14496-12, 8.2.2).
struct MovieHeader {
    /// The number of time units per second; 0 if there is no header.
    private(set) var timescale = 0
    /// The duration in seconds; nil if it is unknown.
    private(set) var seconds: Double?
    private(set) var creationDate: CaptureDate?
    private(set) var matrix = MovieMatrix.identity

    init() {}

    init(_ reader: inout HeadReader, in payload: Range<Int>) throws(HeadError) {
        var cursor = HeadCursor(payload)
        let width = try cursor.versionAndFlags(from: &reader).version == 1 ? 8 : 4
        creationDate = Self.date(try cursor.integer(width, from: &reader))
        try cursor.skip(width)
        timescale = try cursor.integer(4, from: &reader)
        seconds = Self.seconds(try cursor.integer(width, from: &reader), of: timescale, width: width)
        // Skips the playback rate, the volume, and reserved fields.
        try cursor.skip(16)
        matrix = try MovieMatrix(&reader, at: &cursor)
    }

    /// The longest plausible duration in seconds, about three years. A longer one counts as damage.
    private static let longestSeconds = 1e8

    /// Returns a duration if it is plausible; nil if it is negative, not a number, or longer than `longestSeconds`.
    static func believed(_ seconds: Double) -> Double? {
        0...longestSeconds ~= seconds ? seconds : nil
    }

    /// Returns a duration in seconds; nil if it is zero, not plausible, or marked as unknown.
    ///
    /// - Parameter width: the number of bytes of the field. If all its bits are set, the duration is unknown.
    static func seconds(_ duration: Int, of timescale: Int, width: Int = 8) -> Double? {
        guard duration > 0, timescale > 0, duration != (width == 4 ? Int(UInt32.max) : .max) else { return nil }
        return believed(Double(duration) / Double(timescale))
    }

    /// The seconds from the beginning of 1904, the epoch of movies, to the beginning of 1970.
    private static let secondsTo1970 = 2_082_844_800

    /// Reads a date in seconds since 1904. A number that would be before 1970 comes from a camera that counts from 1970
    /// by mistake.
    private static func date(_ seconds: Int) -> CaptureDate? {
        CaptureDate(secondsSince1970: seconds >= secondsTo1970 ? seconds - secondsTo1970 : seconds)
    }
}
