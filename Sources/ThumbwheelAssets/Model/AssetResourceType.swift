/// The purpose that a resource's bytes serve, with PhotoKit's numbers.
public enum AssetResourceType: UInt8, Sendable, Hashable, CaseIterable {
    /// The photograph.
    case photo = 1
    /// The video.
    case video = 2
    /// The sound.
    case audio = 3
    /// The second file of a pair: the RAW file that accompanies a JPEG file.
    case alternatePhoto = 4
    /// The rendering of an adjusted photograph.
    case fullSizePhoto = 5
    /// The rendering of an adjusted video.
    case fullSizeVideo = 6
    /// The recipe of an adjustment, opaque to the library.
    case adjustmentData = 7
    /// The photograph that the recipe of an adjustment applies to, if it is not the original.
    case adjustmentBasePhoto = 8
    /// The video of a live photo.
    case pairedVideo = 9
    /// The rendering of the video of an adjusted live photo.
    case fullSizePairedVideo = 10
    /// The video of a live photo that the recipe of an adjustment applies to, if it is not the original.
    case adjustmentBasePairedVideo = 11
    /// The video that the recipe of an adjustment applies to, if it is not the original.
    case adjustmentBaseVideo = 12
    /// A smaller copy of the photograph, available locally while the photograph itself is elsewhere.
    case photoProxy = 19
}

extension AssetResourceType {
    /// Whether the bytes are a video.
    var isVideo: Bool {
        switch self {
        case .video, .pairedVideo, .fullSizeVideo, .fullSizePairedVideo, .adjustmentBaseVideo,
            .adjustmentBasePairedVideo:
            true
        case .photo, .audio, .alternatePhoto, .fullSizePhoto, .adjustmentData, .adjustmentBasePhoto, .photoProxy: false
        }
    }

    /// Whether an asset gets such a resource when it is adjusted, and loses it when it is reverted.
    var comesByAdjustment: Bool {
        switch self {
        case .fullSizePhoto, .fullSizeVideo, .fullSizePairedVideo, .adjustmentData, .adjustmentBasePhoto,
            .adjustmentBaseVideo, .adjustmentBasePairedVideo:
            true
        case .photo, .video, .audio, .alternatePhoto, .pairedVideo, .photoProxy: false
        }
    }
}
