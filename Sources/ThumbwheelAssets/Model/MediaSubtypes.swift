/// The finer kinds of an asset, with PhotoKit's bits. Bits without a name here are kept.
public struct MediaSubtypes: OptionSet, Sendable, Hashable, Codable {
    public let rawValue: UInt

    public init(rawValue: UInt) {
        self.rawValue = rawValue
    }

    /// A panorama.
    public static let photoPanorama = MediaSubtypes(rawValue: 1 << 0)
    /// A photograph of high dynamic range.
    public static let photoHDR = MediaSubtypes(rawValue: 1 << 1)
    /// A screenshot.
    public static let photoScreenshot = MediaSubtypes(rawValue: 1 << 2)
    /// A live photo.
    public static let photoLive = MediaSubtypes(rawValue: 1 << 3)
    /// A photograph with a depth effect.
    public static let photoDepthEffect = MediaSubtypes(rawValue: 1 << 4)
    /// A spatial photograph or video.
    public static let spatialMedia = MediaSubtypes(rawValue: 1 << 10)
    /// A video that is streamed.
    public static let videoStreamed = MediaSubtypes(rawValue: 1 << 16)
    /// A video of a high frame rate.
    public static let videoHighFrameRate = MediaSubtypes(rawValue: 1 << 17)
    /// A time-lapse video.
    public static let videoTimelapse = MediaSubtypes(rawValue: 1 << 18)
    /// A recording of a screen.
    public static let videoScreenRecording = MediaSubtypes(rawValue: 1 << 19)
    /// A cinematic video.
    public static let videoCinematic = MediaSubtypes(rawValue: 1 << 21)
}

extension Asset {
    // `#Predicate` has neither `&` nor an option set's `contains`: a Bool for each.
    /// Whether it is a panorama. A key for predicates, as are the following.
    public var isPanorama: Bool { mediaSubtypes.contains(.photoPanorama) }
    /// Whether it is a photograph of high dynamic range.
    public var isHDR: Bool { mediaSubtypes.contains(.photoHDR) }
    /// Whether it is a screenshot.
    public var isScreenshot: Bool { mediaSubtypes.contains(.photoScreenshot) }
    /// Whether it is a live photo.
    public var isLivePhoto: Bool { mediaSubtypes.contains(.photoLive) }
    /// Whether it is a photograph with a depth effect.
    public var isDepthEffect: Bool { mediaSubtypes.contains(.photoDepthEffect) }
    /// Whether it is spatial.
    public var isSpatial: Bool { mediaSubtypes.contains(.spatialMedia) }
    /// Whether it is a video that is streamed.
    public var isStreamed: Bool { mediaSubtypes.contains(.videoStreamed) }
    /// Whether it is a video of a high frame rate.
    public var isHighFrameRate: Bool { mediaSubtypes.contains(.videoHighFrameRate) }
    /// Whether it is a time-lapse video.
    public var isTimelapse: Bool { mediaSubtypes.contains(.videoTimelapse) }
    /// Whether it is a recording of a screen.
    public var isScreenRecording: Bool { mediaSubtypes.contains(.videoScreenRecording) }
    /// Whether it is a cinematic video.
    public var isCinematic: Bool { mediaSubtypes.contains(.videoCinematic) }

    /// Whether it is a photograph.
    public var isImage: Bool { mediaType == .image }
    /// Whether it is a video.
    public var isVideo: Bool { mediaType == .video }
    /// Whether it is a sound.
    public var isAudio: Bool { mediaType == .audio }
}
