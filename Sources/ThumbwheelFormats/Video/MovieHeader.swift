/// The facts in a movie's header (`mvhd`; ISO/IEC 14496-12, 8.2.2).
struct MovieHeader {
    /// The units of time in a second; 0 if there is no header.
    private(set) var timescale = 0
    /// The length in seconds; nil if it is unknown.
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
        // The rate, the volume, and reserved fields.
        try cursor.skip(16)
        matrix = try MovieMatrix(&reader, at: &cursor)
    }

    /// The longest duration that is believed, about three years; longer ones are damage.
    private static let longestSeconds = 1e8

    /// Returns a number of seconds that no damage has made; nil for negative and endless ones, and for years.
    static func believed(_ seconds: Double) -> Double? {
        0...longestSeconds ~= seconds ? seconds : nil
    }

    /// Returns a duration in seconds; nil if the file marks it as unknown, or if it is none.
    ///
    /// - Parameter width: the number of bytes of the field; a field of ones stands for an unknown duration.
    static func seconds(_ duration: Int, of timescale: Int, width: Int = 8) -> Double? {
        guard duration > 0, timescale > 0, duration != (width == 4 ? Int(UInt32.max) : .max) else { return nil }
        return believed(Double(duration) / Double(timescale))
    }

    /// The seconds from the beginning of 1904, from which movies count, to that of 1970.
    private static let secondsTo1970 = 2_082_844_800

    /// Reads a date in seconds since 1904; smaller numbers are those of cameras that count from 1970 by mistake.
    private static func date(_ seconds: Int) -> CaptureDate? {
        CaptureDate(secondsSince1970: seconds >= secondsTo1970 ? seconds - secondsTo1970 : seconds)
    }
}
