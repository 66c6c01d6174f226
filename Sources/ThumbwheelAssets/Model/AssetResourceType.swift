/// The purpose of a resource's bytes, with PhotoKit's numbers.
public enum AssetResourceType: UInt8, Sendable, Hashable, CaseIterable {
    /// The photograph.
    case photo = 1
    /// The video.
    case video = 2
    /// The sound.
    case audio = 3
    /// The other picture of a pair: a RAW file that accompanies a JPEG file.
    case alternatePhoto = 4
    /// The rendering (the edited picture) of an adjusted photograph.
    case fullSizePhoto = 5
    /// The rendering (the edited video) of an adjusted video.
    case fullSizeVideo = 6
    /// The adjustment data of an edit. The library does not interpret it.
    case adjustmentData = 7
    /// The base of an adjustment: the photograph to which the adjustment data applies. It is there only if this
    /// photograph is not the original.
    case adjustmentBasePhoto = 8
    /// The video of a live photo.
    case pairedVideo = 9
    /// The rendering (the edited video) of the video of an adjusted live photo.
    case fullSizePairedVideo = 10
    /// The base of an adjustment of a live photo: the video to which the adjustment data applies. It is there only if
    /// this video is not the original one.
    case adjustmentBasePairedVideo = 11
    /// The base of an adjustment of a video: the video to which the adjustment data applies. It is there only if this
    /// video is not the original.
    case adjustmentBaseVideo = 12
    /// A smaller copy of the photograph. It is available locally, while the photograph itself has to be read over a
    /// network.
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

    /// Whether a resource of this type is added when an asset is adjusted, and removed when the asset is reverted.
    var comesByAdjustment: Bool {
        switch self {
        case .fullSizePhoto, .fullSizeVideo, .fullSizePairedVideo, .adjustmentData, .adjustmentBasePhoto,
            .adjustmentBaseVideo, .adjustmentBasePairedVideo:
            true
        case .photo, .video, .audio, .alternatePhoto, .pairedVideo, .photoProxy: false
        }
    }
}
