/// A property of assets that a predicate or a sort descriptor may name (Semantics.md, "Predicates and sort keys").
enum AssetKey: String, CaseIterable, FetchKey {
    case localIdentifier, creationDate, modificationDate, addedDate
    case mediaType, mediaSubtypes, duration, pixelWidth, pixelHeight
    case isFavorite, isHidden, burstIdentifier, representsBurst, hasAdjustments
    case fileSize, originalFilename, latitude, longitude, contentVersion, sourceType
    case isImage, isVideo, isAudio
    case isPanorama, isHDR, isScreenshot, isLivePhoto, isDepthEffect, isSpatial
    case isSelfPortrait, isLongExposure
    case isStreamed, isHighFrameRate, isTimelapse, isScreenRecording, isCinematic

    /// Returns the property with this name in a format string. The name may have PhotoKit's spelling or this library's.
    /// The result is nil if there is no such property.
    static func named(_ name: String) -> AssetKey? {
        switch name {
        case "SELF": .localIdentifier
        case "favorite": .isFavorite
        case "hidden": .isHidden
        case "filename": .originalFilename
        default: AssetKey(rawValue: name)
        }
    }

    var kind: FetchKeyKind {
        switch self {
        case .localIdentifier: .identifier
        case .creationDate, .modificationDate, .addedDate: .date
        case .mediaType, .mediaSubtypes, .pixelWidth, .pixelHeight, .fileSize, .contentVersion, .sourceType: .integer
        case .duration, .latitude, .longitude: .number
        case .burstIdentifier, .originalFilename: .text
        default: .flag
        }
    }

    /// The media subtype that a property such as `isPanorama` tests; nil for other properties.
    var subtype: AssetMediaSubtype? {
        switch self {
        case .isPanorama: .photoPanorama
        case .isHDR: .photoHDR
        case .isScreenshot: .photoScreenshot
        case .isLivePhoto: .photoLive
        case .isDepthEffect: .photoDepthEffect
        case .isSelfPortrait: .photoSelfPortrait
        case .isLongExposure: .photoLongExposure
        case .isSpatial: .spatialMedia
        case .isStreamed: .videoStreamed
        case .isHighFrameRate: .videoHighFrameRate
        case .isTimelapse: .videoTimelapse
        case .isScreenRecording: .videoScreenRecording
        case .isCinematic: .videoCinematic
        default: nil
        }
    }

    /// The media type that a property such as `isVideo` tests; nil for other properties.
    var mediaType: AssetMediaType? {
        switch self {
        case .isImage: .image
        case .isVideo: .video
        case .isAudio: .audio
        default: nil
        }
    }
}
