import ThumbwheelCore

extension Asset {
    /// A hash of the photograph, from which a placeholder image is made that is shown until the real image is ready;
    /// nil if there is none.
    ///
    /// An image manager makes the hash when it first decodes the photograph. An import makes it if the import's options
    /// have a closure for that. The hash is saved with the library. It belongs to one `contentVersion`, so a changed
    /// photograph has no hash until it is decoded again. Unlike all other properties, a new hash also appears in assets
    /// that were fetched before.
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
