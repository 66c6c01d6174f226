import ThumbwheelCore

extension Asset {
    /// The placeholder that is shown until an image of the photograph is ready; nil if none has been made.
    ///
    /// An image manager makes the hash when it first decodes the photograph, and an import makes it if its options ask
    /// for it. The hash is saved with the library. It belongs to one `contentVersion`, so a changed photograph has none
    /// until it is decoded again. Unlike all other properties, it is not part of the snapshot: a new hash also appears on
    /// assets that were fetched earlier.
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
    /// This is not a transaction: observers and the history learn nothing of it, because nothing that they show has
    /// changed. It does nothing if a hash of the same content version or a later one is stored already.
    public func keepThumbHash(_ hash: ThumbHash) {
        switch storage {
        case .original(.detached(let detached)): detached.hash.keep(hash, contentVersion: contentVersion)
        case .original(.row(let chunk, let slot)):
            chunk.columns.hashes.keep(hash, at: Int(slot), contentVersion: contentVersion)
        case .renamed(let renamed): renamed.hash.keep(hash, contentVersion: contentVersion)
        }
    }
}
