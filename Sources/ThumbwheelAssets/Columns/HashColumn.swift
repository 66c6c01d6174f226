import ThumbwheelCore
import ThumbwheelLocks

/// The thumbnail hashes of a chunk's rows, which may be added long after a snapshot has taken in the rows.
///
/// All versions of a chunk share one column. This changes no snapshot: a hash depends only on the pixels that identifier
/// and content version name, so it is stored with its content version and returned for no other version. Row numbers are
/// not used again, so a hash written late by the holder of an old snapshot cannot reach another asset.
final class HashColumn: Sendable {
    /// The words of each row's hash, with the content version in the upper half of the last word, which hashes leave
    /// free. The first word is 0 if the row has no hash. The array is empty until the first hash is stored.
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

    /// Stores a hash, unless the row has a hash of the same content version or a later one.
    ///
    /// The greatest content version may name several pictures, because no version follows it, so no hash is stored for
    /// it.
    func keep(_ hash: ThumbHash, at slot: Int, contentVersion: UInt32) {
        guard contentVersion < .max else { return }
        slots.withLock { slots in
            if slots.isEmpty { slots = Array(repeating: SIMD4(), count: rowCount) }
            guard slots[slot][0] == 0 || Self.contentVersion(of: slots[slot]) < contentVersion else { return }
            slots[slot] = hash.words.replacing(upperHalf: contentVersion)
        }
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
