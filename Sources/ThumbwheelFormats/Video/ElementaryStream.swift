/// The description of an elementary stream of MPEG-4 (`esds`; ISO/IEC 14496-1, 7.2.6): its codec, and the configuration
/// of the decoder.
struct ElementaryStream {
    /// The codec as libav spells it; nil if its number is not known.
    private(set) var codec: String?
    private(set) var configuration: [UInt8] = []

    /// - Parameter payload: the contents of the box.
    init(_ reader: inout HeadReader, in payload: Range<Int>) throws(HeadError) {
        // Skips the version and the flags.
        var cursor = HeadCursor(try payload.suffix(at: 4))
        guard let stream = try Self.descriptor(3, at: &cursor, &reader) else { return }
        var fields = HeadCursor(stream)
        try fields.skip(2)
        let flags = try fields.integer(1, from: &reader)
        // The numbers of a stream that this one depends on, and of a clock, each have two bytes; a name has its length
        // in front.
        if flags & 0x80 != 0 { try fields.skip(2) }
        if flags & 0x40 != 0 { try fields.skip(try fields.integer(1, from: &reader)) }
        if flags & 0x20 != 0 { try fields.skip(2) }
        guard let decoder = try Self.descriptor(4, at: &fields, &reader) else { return }
        var parts = HeadCursor(decoder)
        codec = Self.codecs[try parts.integer(1, from: &reader)]
        // Skips the kind of the stream, the size of its buffer and its rates.
        try parts.skip(12)
        guard let specific = try Self.descriptor(5, at: &parts, &reader), specific.count <= HeadReader.runLimit else {
            return
        }
        configuration = try reader.bytes(in: specific)
    }

    /// Reads the descriptor at a position.
    ///
    /// - Returns: its contents; nil if it has another tag, or if nothing is left.
    private static func descriptor(
        _ tag: Int, at cursor: inout HeadCursor, _ reader: inout HeadReader
    ) throws(HeadError) -> Range<Int>? {
        guard !cursor.rest.isEmpty, try cursor.integer(1, from: &reader) == tag else { return nil }
        // The length has seven bits in each byte, of which all but the last have their highest bit set.
        var length = 0
        for _ in 0..<4 {
            let byte = try cursor.integer(1, from: &reader)
            length = length << 7 | byte & 0x7F
            if byte & 0x80 == 0 { break }
        }
        return cursor.rest.prefix(length)
    }

    /// The codecs by the number of their object type (MP4 Registration Authority).
    private static let codecs: [Int: String] = [
        0x20: "mpeg4", 0x21: "h264", 0x23: "hevc", 0x40: "aac", 0x60: "mpeg2video", 0x61: "mpeg2video",
        0x62: "mpeg2video", 0x63: "mpeg2video", 0x64: "mpeg2video", 0x65: "mpeg2video", 0x66: "aac", 0x67: "aac",
        0x68: "aac", 0x69: "mp3", 0x6A: "mpeg1video", 0x6B: "mp3", 0x6C: "mjpeg", 0xA5: "ac3", 0xA6: "eac3",
        0xA9: "dts", 0xAD: "opus", 0xDD: "vorbis",
    ]
}
