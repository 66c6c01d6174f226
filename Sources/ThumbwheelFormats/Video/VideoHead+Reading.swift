import ThumbwheelCore

extension VideoHead {
    /// Reads the head of a video file: MP4, QuickTime and 3GPP, Matroska and WebM, or AVI, by the bytes. MPEG program
    /// streams and transport streams have no head: only their type is known, and their size is zero.
    ///
    /// At most 1 MiB is read, in pieces, wherever the facts are; the pictures and sounds are skipped unread. No file can make
    /// the reader trap or run on: every file gives a head or an error within some milliseconds of work besides the reading.
    /// Damaged facts count as missing, except for the type and the size.
    ///
    /// - Parameter filename: the name of the file, from which a date and a recording of a screen show if nothing else tells
    ///   them; nil leaves names out of account.
    /// - Throws: `HeadError`: `.unknownType` for images and other files, `.truncated`, `.malformed`, `.limitExceeded`, or the
    ///   source's error.
    public init(reading source: any ByteSource, filename: String? = nil) throws(HeadError) {
        var reader = HeadReader(source)
        try self.init(&reader, filename: filename)
    }

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

    /// Makes the head of a transport stream if enough packets begin with the sync byte. The two that decide about the
    /// type may be found in a text as well.
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
