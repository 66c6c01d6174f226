/// Properties that describe a media type more precisely, with PhotoKit's bits. Bits from 1 << 48 on exist only in this
/// library. Bits that have no name in this type are stored too.
public struct AssetMediaSubtype: OptionSet, Sendable, Hashable, Codable {
    public let rawValue: UInt

    public init(rawValue: UInt) {
        self.rawValue = rawValue
    }

    /// A panorama.
    public static let photoPanorama = AssetMediaSubtype(rawValue: 1 << 0)
    /// A photograph with high dynamic range.
    public static let photoHDR = AssetMediaSubtype(rawValue: 1 << 1)
    /// A screenshot.
    public static let photoScreenshot = AssetMediaSubtype(rawValue: 1 << 2)
    /// A live photo.
    public static let photoLive = AssetMediaSubtype(rawValue: 1 << 3)
    /// A photograph with a depth effect.
    public static let photoDepthEffect = AssetMediaSubtype(rawValue: 1 << 4)
    /// A photograph that was taken with the front camera of a phone. PhotoKit has no bit for it, only a smart album.
    public static let photoSelfPortrait = AssetMediaSubtype(rawValue: 1 << 48)
    /// A photograph that was exposed for a second or more. PhotoKit has no bit for it, only a smart album.
    public static let photoLongExposure = AssetMediaSubtype(rawValue: 1 << 49)
    /// A spatial photograph or video.
    public static let spatialMedia = AssetMediaSubtype(rawValue: 1 << 10)
    /// A video whose bytes are always streamed over a network (PhotoKit's `videoStreamed`).
    public static let videoStreamed = AssetMediaSubtype(rawValue: 1 << 16)
    /// A video that was recorded at a high frame rate.
    public static let videoHighFrameRate = AssetMediaSubtype(rawValue: 1 << 17)
    /// A time-lapse video.
    public static let videoTimelapse = AssetMediaSubtype(rawValue: 1 << 18)
    /// A recording of a screen.
    public static let videoScreenRecording = AssetMediaSubtype(rawValue: 1 << 19)
    /// A cinematic video.
    public static let videoCinematic = AssetMediaSubtype(rawValue: 1 << 21)
}

extension Asset {
    /// Whether the asset is a panorama. This property and the following ones exist for `#Predicate`, which supports
    /// neither `&` nor an option set's `contains`.
    public var isPanorama: Bool { mediaSubtypes.contains(.photoPanorama) }
    /// Whether the asset is a photograph with high dynamic range.
    public var isHDR: Bool { mediaSubtypes.contains(.photoHDR) }
    /// Whether the asset is a screenshot.
    public var isScreenshot: Bool { mediaSubtypes.contains(.photoScreenshot) }
    /// Whether the asset is a live photo.
    public var isLivePhoto: Bool { mediaSubtypes.contains(.photoLive) }
    /// Whether the asset is a photograph with a depth effect.
    public var isDepthEffect: Bool { mediaSubtypes.contains(.photoDepthEffect) }
    /// Whether the asset is a photograph that was taken with the front camera of a phone.
    public var isSelfPortrait: Bool { mediaSubtypes.contains(.photoSelfPortrait) }
    /// Whether the asset is a photograph that was exposed for a second or more.
    public var isLongExposure: Bool { mediaSubtypes.contains(.photoLongExposure) }
    /// Whether the asset is a spatial photograph or video.
    public var isSpatial: Bool { mediaSubtypes.contains(.spatialMedia) }
    /// Whether the asset is a video whose bytes are always streamed over a network.
    public var isStreamed: Bool { mediaSubtypes.contains(.videoStreamed) }
    /// Whether the asset is a video that was recorded at a high frame rate.
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
