import ThumbwheelCore

extension Asset {
    /// The placeholder that stands for the photograph until there is an image of it; nil where none has been made.
    ///
    /// An image manager makes it in passing the first time that it decodes the photograph, an import where its options say
    /// so, and it is saved with the library. It belongs to one `contentVersion`: a photograph that has changed has none until
    /// it is decoded again. Unlike all else it is not of the snapshot, and comes up on assets that were fetched before.
    public var thumbHash: ThumbHash? {
        switch storage {
        case .original(.detached(let detached)): detached.hash.hash(contentVersion: contentVersion)
        case .original(.row(let chunk, let slot)):
            chunk.columns.hashes.hash(at: Int(slot), contentVersion: contentVersion)
        case .renamed(let renamed): renamed.hash.hash(contentVersion: contentVersion)
        }
    }

    /// Keeps a hash that was made of the photograph, all of it, as it is by this asset's content version.
    ///
    /// No transaction: observers and the history are told nothing, for nothing that they could show has changed. Does nothing
    /// where there is one already, and for a version that has been superseded.
    public func keepThumbHash(_ hash: ThumbHash) {
        switch storage {
        case .original(.detached(let detached)): detached.hash.keep(hash, contentVersion: contentVersion)
        case .original(.row(let chunk, let slot)):
            chunk.columns.hashes.keep(hash, at: Int(slot), contentVersion: contentVersion)
        case .renamed(let renamed): renamed.hash.keep(hash, contentVersion: contentVersion)
        }
    }
}
