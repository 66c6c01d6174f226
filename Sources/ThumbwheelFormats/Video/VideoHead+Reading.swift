import ThumbwheelCore

extension VideoHead {
    /// Reads the header of a video file: MP4, QuickTime and 3GPP, Matroska and WebM, or AVI. The type is recognised by
    /// the bytes. MPEG program streams and transport streams have no header, so only their type is known, and their
    /// size is zero.
    ///
    /// At most 1 MiB is read, in pieces, wherever the facts are; frames and sound are skipped unread. No file can make
    /// the reader crash or run without end: for every file the result or an error comes after some milliseconds of
    /// work, apart from the time for reading. Damaged facts count as missing, except for the type and the size.
    ///
    /// - Parameter filename: the name of the file; nil if it should not be used. The date is read from the name if the
    ///   file's contents state none. The name can also show that the video is a screen recording.
    /// - Throws: `HeadError`: `.unknownType` for images and other files, `.truncated`, `.malformed`, `.limitExceeded`,
    ///   or the source's error.
    public init(reading source: any ByteSource, filename: String? = nil) throws(HeadError) {
        var reader = HeadReader(source)
        try self.init(&reader, filename: filename)
    }

    /// Reads the header of a video file of which frames are to be decoded. The search for the end of a movie in fragments
    /// without an index, which reads a part of each fragment, ends early. Then the duration is not known.
    package init(readingForFrames source: any ByteSource) throws(HeadError) {
        var reader = HeadReader(source)
        reader.fragmentLimit = Self.fewFragments
        try self.init(&reader, filename: nil)
    }

    private static let fewFragments = 16

    init(_ reader: inout HeadReader, filename: String?) throws(HeadError) {
        let start = try reader.bytes(in: 0..<min(ContentType.sniffedByteCount, reader.byteCount))
        switch ContentType(sniffingVideo: start) {
        case .mp4?: self = try MovieHead.read(&reader, as: .mp4)
        case .quickTime?: self = try MovieHead.read(&reader, as: .quickTime)
        case .threeGPP?: self = try MovieHead.read(&reader, as: .threeGPP)
        case .matroska?, .webM?: self = try MatroskaHead.read(&reader)
        case .avi?: self = try AVIHead.read(&reader)
        case .mpeg?: self.init(contentType: .mpeg, codedSize: .zero)
        case .mpegTransportStream?: try self.init(transportStream: &reader)
        default: throw .unknownType
        }
        if let filename { takeFacts(fromName: filename) }
    }

    /// Makes the value for a transport stream, if its first packets begin with the sync byte. The two packets by which
    /// the type is recognised are not enough, because a text may contain that byte at the same positions.
    private init(transportStream reader: inout HeadReader) throws(HeadError) {
        // Camcorders write a time stamp of four bytes before each packet of 188 bytes.
        let hasTimes = try reader.byte(at: 188) != 0x47
        for index in 0..<Self.checkedPacketCount {
            let place = hasTimes ? index * 192 + 4 : index * 188
            guard place < reader.byteCount else { break }
            guard try reader.byte(at: place) == 0x47 else { throw .unknownType }
        }
        self.init(contentType: .mpegTransportStream, codedSize: .zero)
    }

    private static let checkedPacketCount = 8
}
