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
    // `#Predicate` supports neither `&` nor an option set's `contains`, so each subtype has a Bool property.
    /// Whether the asset is a panorama. This property and the following ones are keys for predicates.
    public var isPanorama: Bool { mediaSubtypes.contains(.photoPanorama) }
    /// Whether the asset is a photograph of high dynamic range.
    public var isHDR: Bool { mediaSubtypes.contains(.photoHDR) }
    /// Whether the asset is a screenshot.
    public var isScreenshot: Bool { mediaSubtypes.contains(.photoScreenshot) }
    /// Whether the asset is a live photo.
    public var isLivePhoto: Bool { mediaSubtypes.contains(.photoLive) }
    /// Whether the asset is a photograph with a depth effect.
    public var isDepthEffect: Bool { mediaSubtypes.contains(.photoDepthEffect) }
    /// Whether the asset is spatial.
    public var isSpatial: Bool { mediaSubtypes.contains(.spatialMedia) }
    /// Whether the asset is a video that is streamed.
    public var isStreamed: Bool { mediaSubtypes.contains(.videoStreamed) }
    /// Whether the asset is a video of a high frame rate.
    public var isHighFrameRate: Bool { mediaSubtypes.contains(.videoHighFrameRate) }
    /// Whether the asset is a time-lapse video.
    public var isTimelapse: Bool { mediaSubtypes.contains(.videoTimelapse) }
    /// Whether the asset is a recording of a screen.
    public var isScreenRecording: Bool { mediaSubtypes.contains(.videoScreenRecording) }
    /// Whether the asset is a cinematic video.
    public var isCinematic: Bool { mediaSubtypes.contains(.videoCinematic) }

    /// Whether the asset is a photograph.
    public var isImage: Bool { mediaType == .image }
    /// Whether the asset is a video.
    public var isVideo: Bool { mediaType == .video }
    /// Whether the asset is a sound.
    public var isAudio: Bool { mediaType == .audio }
}
