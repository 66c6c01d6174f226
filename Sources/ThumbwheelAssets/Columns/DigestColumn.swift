import ThumbwheelLocks

/// The digests (hashes of all bytes) of the files of a chunk's rows. A chunk is a block of rows, and a row is one
/// asset. The column has a digest only if somebody has requested it.
///
/// A digest may be added long after its row became part of a snapshot, and all versions of a chunk share one column. So
/// a digest is stored with the version of the asset's original picture, and is returned only for that version.
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

    /// Stores the digest of an original picture in place of the digest that the row had before.
    func keep(_ digest: ContentDigest, at slot: Int, original: PictureVersion) {
        slots.withLock { slots in
            if slots.isEmpty { slots = Array(repeating: Self.absent, count: Chunk.rowCount) }
            slots[slot] = Slot(digest: digest, original: original)
        }
    }
}
