import Synchronization
import ThumbwheelCore

/// The hash of an asset that is in no chunk: one word until there is a hash, because many such assets never get one.
struct LoneHash: ~Copyable, Sendable {
    private let column = AtomicLazyReference<HashColumn>()

    func hash(contentVersion: UInt32) -> ThumbHash? {
        column.load()?.hash(at: 0, contentVersion: contentVersion)
    }

    /// Keeps a hash as `HashColumn.keep` does.
    func keep(_ hash: ThumbHash, contentVersion: UInt32) {
        let column = column.load() ?? column.storeIfNil(HashColumn(rowCount: 1))
        column.keep(hash, at: 0, contentVersion: contentVersion)
    }
}
