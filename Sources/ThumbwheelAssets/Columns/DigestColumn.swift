import ThumbwheelLocks

/// The digests of the files of a chunk's rows, as far as somebody has asked for them.
///
/// Like thumbnail hashes, digests come long after a snapshot first held their rows, and all versions of a chunk share one
/// column. A digest is stored with the version of the row's original picture, and returned for no other version.
final class DigestColumn: Sendable {
    private struct Slot: Sendable {
        var digest: ContentDigest
        var original: PictureVersion
    }

    /// The digest of each row; empty until the first digest is stored.
    private let slots = Mutex<[Slot]>([])
    private static let absent = Slot(
        digest: ContentDigest(high: 0, low: 0), original: PictureVersion(timeline: .max, number: .max))

    func digest(at slot: Int, original: PictureVersion) -> ContentDigest? {
        slots.withLock { slots in
            guard slot < slots.count, slots[slot].original == original, original != Self.absent.original else {
                return nil
            }
            return slots[slot].digest
        }
    }

    /// Stores a digest in place of the digest of another version.
    func keep(_ digest: ContentDigest, at slot: Int, original: PictureVersion) {
        slots.withLock { slots in
            if slots.isEmpty { slots = Array(repeating: Self.absent, count: Chunk.rowCount) }
            slots[slot] = Slot(digest: digest, original: original)
        }
    }
}
