/// A permanent identifier of one picture of an asset.
///
/// Whenever the picture of an asset changes, the new picture gets a new version. No other picture of an asset with the
/// same asset identifier has ever had this version, in any library and in any process. An adjusted asset has two
/// pictures, each with its own version: its original and its rendering (the edited picture). If the asset is adjusted
/// again, only the rendering gets a new version. If the file of the original changes, the original gets a new version.
/// Versions are saved with the library.
public struct PictureVersion: Hashable, Sendable, BitwiseCopyable {
    /// A random number that a `PhotoLibrary` draws when it is made or loaded; 0 for assets outside any library. If the
    /// same library file is loaded twice, for example after a crash, the two libraries have different numbers. So they
    /// never give the same version to different pictures.
    package let timeline: UInt64
    /// The number of the picture. It is unique among the versions with the same `timeline`, which are the versions that
    /// one `PhotoLibrary` object has given.
    package let number: UInt64

    package init(timeline: UInt64, number: UInt64) {
        self.timeline = timeline
        self.number = number
    }

    /// Makes the version of a picture whose asset is outside any library, from the content version that the host
    /// program has given.
    package init(contentVersion: UInt32) {
        self.init(timeline: 0, number: UInt64(contentVersion))
    }

    /// Makes the version of a picture from a library file of an old format, which contains no picture versions. The
    /// version combines the row and the content version. Together, they identify a picture within one library: old
    /// releases never used a row for another asset, and raised the content version with each change of the asset.
    ///
    /// - Parameter timeline: the random number of the library object that saved the file. It keeps the version apart
    ///   from those of other libraries.
    init(formerTimeline timeline: UInt64, row: UInt32, contentVersion: UInt32) {
        self.init(timeline: timeline, number: UInt64(row) << 32 | UInt64(contentVersion))
    }
}

extension Asset {
    /// Returns the permanent identifier of the picture that the asset shows as `version`. For an asset outside any
    /// library, it is computed from `contentVersion`.
    public func pictureVersion(of version: ImageVersion = .current) -> PictureVersion {
        if version != .current, hasAdjustments, let original = originalPictureVersion { return original }
        return currentPictureVersion
    }
}
