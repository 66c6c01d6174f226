/// A property of assets that predicates and sort descriptors may name (Semantics.md, "Predicates and sort keys").
enum AssetKey: String, CaseIterable, FetchKey {
    case localIdentifier, creationDate, modificationDate, addedDate
    case mediaType, mediaSubtypes, duration, pixelWidth, pixelHeight
    case isFavorite, isHidden, burstIdentifier, representsBurst, hasAdjustments
    case fileSize, originalFilename, latitude, longitude, contentVersion, sourceType
    case isImage, isVideo, isAudio
    case isPanorama, isHDR, isScreenshot, isLivePhoto, isDepthEffect, isSpatial
    case isStreamed, isHighFrameRate, isTimelapse, isScreenRecording, isCinematic

    static let objectName = "Asset"

    /// The key with a name as spelled in format strings, in PhotoKit's spelling or this library's.
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

    /// The media subtype that a Bool property of `Asset` tests; nil for other keys.
    var subtype: MediaSubtypes? {
        switch self {
        case .isPanorama: .photoPanorama
        case .isHDR: .photoHDR
        case .isScreenshot: .photoScreenshot
        case .isLivePhoto: .photoLive
        case .isDepthEffect: .photoDepthEffect
        case .isSpatial: .spatialMedia
        case .isStreamed: .videoStreamed
        case .isHighFrameRate: .videoHighFrameRate
        case .isTimelapse: .videoTimelapse
        case .isScreenRecording: .videoScreenRecording
        case .isCinematic: .videoCinematic
        default: nil
        }
    }

    /// The media type that a Bool property of `Asset` tests; nil for other keys.
    var mediaType: MediaType? {
        switch self {
        case .isImage: .image
        case .isVideo: .video
        case .isAudio: .audio
        default: nil
        }
    }
}
