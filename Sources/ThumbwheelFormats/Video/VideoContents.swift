import ThumbwheelCore

/// Everything that the header of a video file tells that a player needs: the facts about the video, and its tracks.
public struct VideoContents: Sendable, Equatable {
    /// The facts about the video.
    public let head: VideoHead
    /// The tracks in the order of the file. Tracks with damaged descriptions are left out.
    public let tracks: [MediaTrack]
    /// The track of frames that is shown, as an index into `tracks`.
    public let shownTrack: Int
    /// Whether a player that reads the file from its beginning can start before it has all of it. It cannot if an MP4
    /// or QuickTime file has its movie box behind the frames.
    public let isIndexInFront: Bool

    /// Reads the header of a video file, within the limits of `VideoHead(reading:filename:)`.
    ///
    /// - Throws: `HeadError`; `.unknownType` for MPEG program streams and transport streams too, because they have no
    ///   header.
    public init(reading source: any ByteSource) throws(HeadError) {
        var reader = HeadReader(source)
        try self.init(&reader)
    }

    init(_ reader: inout HeadReader) throws(HeadError) {
        let start = try reader.bytes(in: 0..<min(ContentType.sniffedByteCount, reader.byteCount))
        switch ContentType(sniffingVideo: start) {
        case .mp4?: self = try MovieHead.describe(&reader, as: .mp4)
        case .quickTime?: self = try MovieHead.describe(&reader, as: .quickTime)
        case .threeGPP?: self = try MovieHead.describe(&reader, as: .threeGPP)
        case .matroska?, .webM?: self = try MatroskaHead.describe(&reader)
        case .avi?: self = try AVIHead.describe(&reader)
        default: throw .unknownType
        }
    }

    init(head: VideoHead, tracks: [MediaTrack], shownTrack: Int, isIndexInFront: Bool) {
        self.head = head
        self.tracks = tracks
        self.shownTrack = shownTrack
        self.isIndexInFront = isIndexInFront
    }

    /// The media type of the file with the codecs of its frames and sound, such as
    /// `video/mp4; codecs="avc1.64001F, mp4a.40.2"` (RFC 6381). The parameter is left out if the codec of a track of
    /// frames or sound cannot be named.
    public var mediaType: String {
        let played = tracks.filter { $0.kind == .video || $0.kind == .sound }
        var names: [String] = []
        for track in played {
            guard let name = track.codecParameter else { return head.contentType.rawValue }
            if !names.contains(name) { names.append(name) }
        }
        guard !names.isEmpty else { return head.contentType.rawValue }
        return "\(head.contentType.rawValue); codecs=\"\(names.joined(separator: ", "))\""
    }
}
