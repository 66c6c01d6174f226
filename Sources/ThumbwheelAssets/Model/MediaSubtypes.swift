/// What an asset is beyond its media type, with PhotoKit's bits (row 6). Bits that are not named here are kept.
public struct MediaSubtypes: OptionSet, Sendable, Hashable, Codable {
    public let rawValue: UInt

    public init(rawValue: UInt) {
        self.rawValue = rawValue
    }

    public static let photoPanorama = MediaSubtypes(rawValue: 1 << 0)
    public static let photoHDR = MediaSubtypes(rawValue: 1 << 1)
    public static let photoScreenshot = MediaSubtypes(rawValue: 1 << 2)
    public static let photoLive = MediaSubtypes(rawValue: 1 << 3)
    public static let photoDepthEffect = MediaSubtypes(rawValue: 1 << 4)
    public static let spatialMedia = MediaSubtypes(rawValue: 1 << 10)
    public static let videoStreamed = MediaSubtypes(rawValue: 1 << 16)
    public static let videoHighFrameRate = MediaSubtypes(rawValue: 1 << 17)
    public static let videoTimelapse = MediaSubtypes(rawValue: 1 << 18)
    public static let videoScreenRecording = MediaSubtypes(rawValue: 1 << 19)
    public static let videoCinematic = MediaSubtypes(rawValue: 1 << 21)
}

extension Asset {
    // `#Predicate` has neither `&` nor an option set's `contains`: a Bool for each.
    public var isPanorama: Bool { mediaSubtypes.contains(.photoPanorama) }
    public var isHDR: Bool { mediaSubtypes.contains(.photoHDR) }
    public var isScreenshot: Bool { mediaSubtypes.contains(.photoScreenshot) }
    public var isLivePhoto: Bool { mediaSubtypes.contains(.photoLive) }
    public var isDepthEffect: Bool { mediaSubtypes.contains(.photoDepthEffect) }
    public var isSpatial: Bool { mediaSubtypes.contains(.spatialMedia) }
    public var isStreamed: Bool { mediaSubtypes.contains(.videoStreamed) }
    public var isHighFrameRate: Bool { mediaSubtypes.contains(.videoHighFrameRate) }
    public var isTimelapse: Bool { mediaSubtypes.contains(.videoTimelapse) }
    public var isScreenRecording: Bool { mediaSubtypes.contains(.videoScreenRecording) }
    public var isCinematic: Bool { mediaSubtypes.contains(.videoCinematic) }

    public var isImage: Bool { mediaType == .image }
    public var isVideo: Bool { mediaType == .video }
    public var isAudio: Bool { mediaType == .audio }
}
