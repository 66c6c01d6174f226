/// A permanent name for one picture of an asset.
///
/// A changed picture gets a version that no earlier picture of an asset with the same identifier had, in any library and
/// in any process. Each rendering has its own version. The original of an adjusted asset keeps its version if the asset
/// is adjusted again, and gets a new version if the original's file changes. Versions are saved with the library.
public struct PictureVersion: Hashable, Sendable, BitwiseCopyable {
    /// A number drawn at random whenever a library is made or loaded; 0 for assets outside any library. Because of it,
    /// changes made after two loads of the same file, for instance after a crash, get different versions.
    package let timeline: UInt64
    /// The number of the picture, unique within its timeline.
    package let number: UInt64

    package init(timeline: UInt64, number: UInt64) {
        self.timeline = timeline
        self.number = number
    }

    /// Makes the version of a picture whose asset is outside any library. The version consists of the host's content
    /// version.
    package init(contentVersion: UInt32) {
        self.init(timeline: 0, number: UInt64(contentVersion))
    }

    /// Makes the version of a picture in a library that was saved before files held picture versions. At that time, a
    /// row belonged to one asset for good, and its content version rose with each change. So row and content version
    /// together name one picture.
    ///
    /// - Parameter timeline: the timeline in which the library was saved.
    init(formerTimeline timeline: UInt64, row: UInt32, contentVersion: UInt32) {
        self.init(timeline: timeline, number: UInt64(row) << 32 | UInt64(contentVersion))
    }
}

extension Asset {
    /// The permanent name of the picture that the asset shows as `version`. For an asset outside any library, it is
    /// derived from `contentVersion`.
    public func pictureVersion(of version: ImageVersion = .current) -> PictureVersion {
        if version != .current, hasAdjustments, let original = originalPictureVersion { return original }
        return currentPictureVersion
    }
}
