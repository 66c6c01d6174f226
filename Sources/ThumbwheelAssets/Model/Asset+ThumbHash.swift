import ThumbwheelCore

extension Asset {
    /// A small hash of the photograph's pixels; nil if there is none. From the hash, a placeholder image can be made,
    /// to be shown until the real image is ready.
    ///
    /// An image manager makes the hash when it first decodes the photograph. An import makes it if the import's options
    /// have a closure for that. The hash is saved with the library. It belongs to one `contentVersion`, so a changed
    /// photograph has no hash until it is decoded again. This property is the only one that changes in assets that were
    /// already fetched: a new hash appears in them too.
    public var thumbHash: ThumbHash? {
        switch storage {
        case .original(.detached(let detached)): detached.hash.hash(contentVersion: contentVersion)
        case .original(.row(let chunk, let slot)):
            chunk.columns.hashes.hash(at: Int(slot), contentVersion: contentVersion)
        case .renamed(let renamed): renamed.hash.hash(contentVersion: contentVersion)
        }
    }

    /// Stores a hash that was made from the whole photograph at this asset's content version.
    ///
    /// This is not a transaction: it is not reported to observers and not recorded in the history. If a hash for the
    /// same or a later content version is already stored, nothing is done.
    public func keepThumbHash(_ hash: ThumbHash) {
        switch storage {
        case .original(.detached(let detached)): detached.hash.keep(hash, contentVersion: contentVersion)
        case .original(.row(let chunk, let slot)):
            chunk.columns.hashes.keep(hash, at: Int(slot), contentVersion: contentVersion)
        case .renamed(let renamed): renamed.hash.keep(hash, contentVersion: contentVersion)
        }
    }
}
