import ThumbwheelCore
import ThumbwheelLocks

/// The hashes of a chunk's rows, as they become known: in passing, long after a snapshot took the rows in.
///
/// All versions of a chunk share one. That changes no snapshot: a hash follows from the pixels that identifier and content
/// version name, so it is kept with the version that it is of, and given for no other. A row never gets another's number, so
/// what is written late, by who still holds an old snapshot, meets no other asset.
final class HashColumn: Sendable {
    /// The hashes' own words, the content version in the upper half of the last, which they leave free; the first of them is 0
    /// where there is none. Empty until the first row has one.
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

    /// Keeps a hash, unless there is one of the same version or of a later one.
    ///
    /// The greatest version may name several pictures, because none comes after it: no hash is kept for it.
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
