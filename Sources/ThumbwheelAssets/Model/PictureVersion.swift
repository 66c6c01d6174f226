/// Names one picture of an asset for ever.
///
/// A changed picture has another version than every picture that an asset of the same identifier showed before, in this
/// library or another, in this process or one that has ended. Each rendering has its own: an adjusted asset's original
/// keeps its version when the asset is adjusted again, and gets a new one when its file changes. Versions are saved
/// with the library.
public struct PictureVersion: Hashable, Sendable, BitwiseCopyable {
    /// Drawn at random whenever a library is made or loaded, so that changes made after loading a file twice, or again
    /// after a crash, get different versions. 0 for assets outside any library.
    package let timeline: UInt64
    /// Unique among the pictures of one timeline.
    package let number: UInt64

    package init(timeline: UInt64, number: UInt64) {
        self.timeline = timeline
        self.number = number
    }

    /// Names a picture of an asset outside any library, by its host's content version.
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
    /// The version of the picture that the asset shows as `version`. For an asset outside any library, it follows from
    /// `contentVersion`.
    public func pictureVersion(of version: ImageVersion = .current) -> PictureVersion {
        if version != .current, hasAdjustments, let original = originalPictureVersion { return original }
        return currentPictureVersion
    }
}
