/// A permanent name for one picture of an asset.
///
/// A changed picture gets a version that no earlier picture of an asset with the same identifier had, in any library and
/// in any process. Each rendering has its own version. The original of an adjusted asset keeps its version if the asset
/// is adjusted again, and gets a new version if the original's file changes. Versions are saved with the library.
public struct PictureVersion: Hashable, Sendable, BitwiseCopyable {
    /// A number drawn at random whenever a library is made or loaded, so that changes made after loading a file twice, or
    /// again after a crash, get different versions. 0 for assets outside any library.
    package let timeline: UInt64
    /// The number of the picture, unique within its timeline.
    package let number: UInt64

    package init(timeline: UInt64, number: UInt64) {
        self.timeline = timeline
        self.number = number
    }

    /// Names a picture of an asset outside any library by the host's content version.
    package init(contentVersion: UInt32) {
        self.init(timeline: 0, number: UInt64(contentVersion))
    }

    /// Names the picture of a row in a library that was saved before files held picture versions. At that time, a row
    /// belonged to one asset for good, and its content version rose with each change.
    ///
    /// - Parameter timeline: the timeline in which the library was saved.
    init(formerTimeline timeline: UInt64, row: UInt32, contentVersion: UInt32) {
        self.init(timeline: timeline, number: UInt64(row) << 32 | UInt64(contentVersion))
    }
}

extension Asset {
    /// The picture version of the picture that the asset shows as `version`. For an asset outside any library, it is
    /// derived from `contentVersion`.
    public func pictureVersion(of version: ImageVersion = .current) -> PictureVersion {
        if version != .current, hasAdjustments, let original = originalPictureVersion { return original }
        return currentPictureVersion
    }
}
