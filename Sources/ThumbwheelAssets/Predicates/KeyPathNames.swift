import ThumbwheelCore

/// The key paths of a model type. A key path that can be used in a fetch is listed with its key. Any other is listed
/// with the name of its property, which is shown in errors. The table is needed because the key path of a computed
/// property does not contain the property's name.
///
/// The compiler cannot check that threads may share this value, because `AnyKeyPath` is not marked `Sendable`. They
/// may: a key path without subscripts captures nothing and never changes.
struct KeyPathNames<Key: FetchKey>: @unchecked Sendable {
    let keys: [AnyKeyPath: Key]
    let unsupported: [AnyKeyPath: String]
}

extension KeyPathNames<AssetKey> {
    static let assets = KeyPathNames(
        keys: [
            \Asset.localIdentifier: .localIdentifier, \Asset.identifier: .localIdentifier,
            \Asset.id: .localIdentifier, \Asset.creationDate: .creationDate,
            \Asset.modificationDate: .modificationDate, \Asset.addedDate: .addedDate,
            \Asset.mediaType: .mediaType,
            \Asset.mediaType.rawValue: .mediaType, \Asset.mediaSubtypes: .mediaSubtypes,
            \Asset.mediaSubtypes.rawValue: .mediaSubtypes, \Asset.duration: .duration,
            \Asset.pixelWidth: .pixelWidth, \Asset.pixelHeight: .pixelHeight,
            \Asset.pixelSize.width: .pixelWidth, \Asset.pixelSize.height: .pixelHeight,
            \Asset.isFavorite: .isFavorite, \Asset.isHidden: .isHidden, \Asset.burstIdentifier: .burstIdentifier,
            \Asset.representsBurst: .representsBurst, \Asset.hasAdjustments: .hasAdjustments,
            \Asset.fileSize: .fileSize, \Asset.originalFilename: .originalFilename, \Asset.latitude: .latitude,
            \Asset.longitude: .longitude, \Asset.contentVersion: .contentVersion, \Asset.sourceType: .sourceType,
            \Asset.sourceType.rawValue: .sourceType, \Asset.isImage: .isImage, \Asset.isVideo: .isVideo,
            \Asset.isAudio: .isAudio, \Asset.isPanorama: .isPanorama, \Asset.isHDR: .isHDR,
            \Asset.isScreenshot: .isScreenshot, \Asset.isLivePhoto: .isLivePhoto,
            \Asset.isSelfPortrait: .isSelfPortrait, \Asset.isLongExposure: .isLongExposure,
            \Asset.isDepthEffect: .isDepthEffect, \Asset.isSpatial: .isSpatial, \Asset.isStreamed: .isStreamed,
            \Asset.isHighFrameRate: .isHighFrameRate, \Asset.isTimelapse: .isTimelapse,
            \Asset.isScreenRecording: .isScreenRecording, \Asset.isCinematic: .isCinematic,
        ],
        unsupported: [
            \Asset.head: "head", \Asset.resource: "resource", \Asset.resources: "resources",
            \Asset.location: "location", \Asset.contentType: "contentType", \Asset.pixelSize: "pixelSize",
            \Asset.playbackStyle: "playbackStyle", \Asset.burstSelectionTypes: "burstSelectionTypes",
            \Asset.adjustmentFormatIdentifier: "adjustmentFormatIdentifier", \Asset.isRAW: "isRAW",
            \Asset.isAnimated: "isAnimated", \Asset.isRecentlyDeleted: "isRecentlyDeleted",
            \Asset.isLocallyAvailable: "isLocallyAvailable", \Asset.trashedDate: "trashedDate",
            \Asset.description: "description",
        ])
}
