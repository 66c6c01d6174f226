/// Names one picture of an asset, for ever: what an asset shows has another version than all that it, or an asset of the same
/// identifier, showed before, in this library or in another, in this process or in one that has ended.
///
/// Each rendering has its own: an adjusted asset's original keeps its version when the asset is adjusted anew, and gets another
/// when its file changes. A saved library is loaded with the versions that it had.
public struct PictureVersion: Hashable, Sendable, BitwiseCopyable {
    /// Drawn at random each time that a library is made or loaded: what happens after one is loaded twice, or loaded again
    /// after a crash, is named apart. 0 for assets outside any library.
    package let timeline: UInt64
    /// No two pictures of one timeline have the same.
    package let number: UInt64

    package init(timeline: UInt64, number: UInt64) {
        self.timeline = timeline
        self.number = number
    }

    /// Of an asset outside any library, whose pictures its host tells apart.
    package init(contentVersion: UInt32) {
        self.init(timeline: 0, number: UInt64(contentVersion))
    }

    /// Of a row in a library that was saved before rows had versions of this kind: a row was one asset's for good, and
    /// content versions rose.
    ///
    /// - Parameter timeline: in which the library was saved.
    init(formerTimeline timeline: UInt64, row: UInt32, contentVersion: UInt32) {
        self.init(timeline: timeline, number: UInt64(row) << 32 | UInt64(contentVersion))
    }
}

extension Asset {
    /// Which picture one of the asset's versions is. Of an asset outside any library it follows from `contentVersion`.
    public func pictureVersion(of version: ImageVersion = .current) -> PictureVersion {
        if version != .current, hasAdjustments, let original = originalPictureVersion { return original }
        return currentPictureVersion
    }
}
