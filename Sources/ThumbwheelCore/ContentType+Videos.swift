extension ContentType {
    /// MPEG-4 (ISO/IEC 14496-14), and other video files of the ISO base media format.
    public static let mp4 = ContentType(rawValue: "video/mp4")
    /// Apple's QuickTime movie.
    public static let quickTime = ContentType(rawValue: "video/quicktime")
    /// 3GPP and 3GPP2 files of telephones.
    public static let threeGPP = ContentType(rawValue: "video/3gpp")
    /// WebM: a Matroska file with VP8, VP9 or AV1.
    public static let webM = ContentType(rawValue: "video/webm")
    /// Matroska.
    public static let matroska = ContentType(rawValue: "video/x-matroska")
    /// Microsoft's Audio Video Interleave.
    public static let avi = ContentType(rawValue: "video/x-msvideo")
    /// MPEG-1 and MPEG-2 program streams.
    public static let mpeg = ContentType(rawValue: "video/mpeg")
    /// MPEG-2 transport streams (ISO/IEC 13818-1), as camcorders write them.
    public static let mpegTransportStream = ContentType(rawValue: "video/mp2t")

    /// Whether this is a type of videos.
    public var isVideo: Bool { rawValue.hasPrefix("video/") }

    /// The usual extension of the name of a video's file, without the dot; nil for other types.
    var videoFilenameExtension: String? {
        switch self {
        case .mp4: "mp4"
        case .quickTime: "mov"
        case .threeGPP: "3gp"
        case .webM: "webm"
        case .matroska: "mkv"
        case .avi: "avi"
        case .mpeg: "mpg"
        case .mpegTransportStream: "mts"
        default: nil
        }
    }
}
