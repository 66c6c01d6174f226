import Synchronization
import ThumbwheelCore

/// The thumbnail hash of one asset whose hash is not stored in a library's columns: an asset outside any library, or an
/// asset that was copied under another identifier. It uses only one word of memory until a hash is stored, because many
/// of these assets never get a hash.
struct LoneHash: ~Copyable, Sendable {
    private let column = AtomicLazyReference<HashColumn>()

    func hash(contentVersion: UInt32) -> ThumbHash? {
        column.load()?.hash(at: 0, contentVersion: contentVersion)
    }

    /// Stores a hash, unless a hash for the same or a later content version is stored already.
    func keep(_ hash: ThumbHash, contentVersion: UInt32) {
        let column = column.load() ?? column.storeIfNil(HashColumn(rowCount: 1))
        column.keep(hash, at: 0, contentVersion: contentVersion)
    }
}
