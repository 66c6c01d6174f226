import ThumbwheelCore

/// The key paths of a model type. Those that stand for a key are listed with the key, all others with their name, which
/// an error shows. The table is needed because key paths of computed properties do not reveal their names.
///
/// The type is unchecked because `AnyKeyPath` is not marked `Sendable`. Sharing is safe, because a key path without
/// subscripts captures nothing and never changes.
struct KeyPathNames<Key: FetchKey>: @unchecked Sendable {
    let keys: [AnyKeyPath: Key]
    let unusable: [AnyKeyPath: String]
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
        unusable: [
            \Asset.head: "head", \Asset.resource: "resource", \Asset.resources: "resources",
            \Asset.location: "location", \Asset.contentType: "contentType", \Asset.pixelSize: "pixelSize",
            \Asset.playbackStyle: "playbackStyle", \Asset.burstSelectionTypes: "burstSelectionTypes",
            \Asset.adjustmentFormatIdentifier: "adjustmentFormatIdentifier", \Asset.isRAW: "isRAW",
            \Asset.isAnimated: "isAnimated", \Asset.isRecentlyDeleted: "isRecentlyDeleted",
            \Asset.isLocallyAvailable: "isLocallyAvailable", \Asset.trashedDate: "trashedDate",
            \Asset.description: "description",
        ])
}
