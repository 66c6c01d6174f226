import ThumbwheelCore

extension ContentType {
    /// Recognises the type of a video by the first bytes of a file, whatever its name says; nil for anything else.
    ///
    /// - Parameter bytes: the start of the file; bytes after the first `sniffedByteCount` make no difference.
    public init?(sniffingVideo bytes: [UInt8]) {
        let start = FileStart(bytes: Array(bytes.prefix(Self.sniffedByteCount)))
        // Images are ruled out first: a GIF may look like a transport stream, and a HEIF file uses the same container
        // as an MPEG-4 video.
        guard HeadFormats.format(of: start) == nil else { return nil }
        if start.has("ftyp", at: 4) {
            guard let type = Self.video(brandedBy: start) else { return nil }
            self = type
        } else if Self.oldQuickTimeBoxes.contains(where: { start.has($0, at: 4) }) {
            self = .quickTime
        } else if start.has([0x1A, 0x45, 0xDF, 0xA3]) {
            // The document type is one of the first elements of the EBML header (RFC 8794, 11.2.4).
            guard let type = Self.matroska(start) else { return nil }
            self = type
        } else if start.has("RIFF"), start.has("AVI ", at: 8) {
            self = .avi
        } else if start.has([0, 0, 1, 0xBA]) {
            self = .mpeg
        } else if [0, 4].contains(where: { start.has([0x47], at: $0) && start.has([0x47], at: $0 + 188 + $0) }) {
            // A transport stream has a 0x47 at the start of each packet of 188 bytes. Camcorders put a time stamp of
            // four bytes before each packet.
            self = .mpegTransportStream
        } else {
            return nil
        }
    }

    /// Recognises the type of a video by the first bytes of `source`; nil for anything else.
    ///
    /// - Throws: `ByteSourceError` if the bytes cannot be read.
    public init?(sniffingVideo source: any ByteSource) throws(ByteSourceError) {
        self.init(sniffingVideo: try source.bytes(in: 0..<Self.sniffedByteCount))
    }

    /// The boxes that movies without a file type box begin with.
    private static let oldQuickTimeBoxes: [StaticString] = ["moov", "mdat", "wide", "pnot", "free", "skip"]
    /// The main brands of files with sound alone.
    private static let soundBrands: [StaticString] = ["M4A ", "M4B ", "M4P ", "F4A ", "F4B "]

    private static func video(brandedBy start: FileStart) -> ContentType? {
        guard !soundBrands.contains(where: { start.has($0, at: 8) }) else { return nil }
        if start.has("qt  ", at: 8) { return .quickTime }
        return start.has("3g", at: 8) ? .threeGPP : .mp4
    }

    private static func matroska(_ start: FileStart) -> ContentType? {
        for offset in start.bytes.indices.prefix(64) {
            if start.has("webm", at: offset) { return .webM }
            if start.has("matroska", at: offset) { return .matroska }
        }
        return nil
    }
}
