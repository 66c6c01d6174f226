import Synchronization
import ThumbwheelCore

/// The thumbnail hash of an asset that is outside any library or was copied under another identifier. It takes one word
/// until a hash is stored, because many of these assets never get one.
struct LoneHash: ~Copyable, Sendable {
    private let column = AtomicLazyReference<HashColumn>()

    func hash(contentVersion: UInt32) -> ThumbHash? {
        column.load()?.hash(at: 0, contentVersion: contentVersion)
    }

    /// Stores a hash by the rules of `HashColumn.keep`.
    func keep(_ hash: ThumbHash, contentVersion: UInt32) {
        let column = column.load() ?? column.storeIfNil(HashColumn(rowCount: 1))
        column.keep(hash, at: 0, contentVersion: contentVersion)
    }
}
