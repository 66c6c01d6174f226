import ThumbwheelCore
import ThumbwheelLocks

/// The thumbnail hashes of a chunk's rows. A chunk is a block of rows, and a row is one asset.
///
/// All versions of a chunk share one column, and a hash may be added at any time. This changes no snapshot: a hash is
/// stored with the content version of the pixels from which it was computed, and is returned only for that version.
///
/// A program that still uses an old snapshot may store a hash after the asset was deleted. This does no harm, because a
/// chunk never gives the row of a deleted asset to another asset.
final class HashColumn: Sendable {
    /// The hash of each row, as four 64-bit words. A hash does not need the upper half of the last word. That half
    /// contains the content version of the pixels from which the hash was computed. The first word is 0 if the row has
    /// no hash. The array is empty until the first hash is stored.
    private let slots = Mutex<[SIMD4<UInt64>]>([])
    private let rowCount: Int

    init(rowCount: Int = Chunk.rowCount) {
        self.rowCount = rowCount
    }

    func hash(at slot: Int, contentVersion: UInt32) -> ThumbHash? {
        guard contentVersion < .max else { return nil }
        let words = slots.withLock { $0.isEmpty ? SIMD4() : $0[slot] }
        guard words[0] != 0, Self.contentVersion(of: words) == contentVersion else { return nil }
        return ThumbHash(words: words.replacing(upperHalf: 0))
    }

    /// Stores a hash, unless the row already has a hash for the same or a later content version.
    ///
    /// No hash is stored for the content version `UInt32.max`. Content versions cannot rise beyond this number, so the
    /// row keeps it when its pixels change again. A stored hash might then be that of an older picture.
    func keep(_ hash: ThumbHash, at slot: Int, contentVersion: UInt32) {
        guard contentVersion < .max else { return }
        let isNew = slots.withLock { slots in
            if slots.isEmpty { slots = Array(repeating: SIMD4(), count: rowCount) }
            guard slots[slot][0] == 0 || Self.contentVersion(of: slots[slot]) < contentVersion else { return false }
            slots[slot] = hash.words.replacing(upperHalf: contentVersion)
            return true
        }
        if isNew { KeptHashes.add() }
    }

    private static func contentVersion(of words: SIMD4<UInt64>) -> UInt32 { UInt32(words[3] >> 32) }
}

extension SIMD4<UInt64> {
    fileprivate func replacing(upperHalf: UInt32) -> SIMD4<UInt64> {
        var words = self
        words[3] = words[3] & 0xFFFF_FFFF | UInt64(upperHalf) << 32
        return words
    }
}
