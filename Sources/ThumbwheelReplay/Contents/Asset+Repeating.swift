import Thumbwheel

extension RandomAccessCollection<Asset> {
    /// Returns `assetCount` assets: asset *i* is photograph *i* mod *n* under an identifier of its own, so that an image made
    /// for one asset never serves another. Copies have the thumb hashes that their photographs came with, as if they had been
    /// imported as well.
    ///
    /// - Precondition: there is at least one photograph, or `assetCount` is 0.
    public func repeated(count assetCount: Int) -> [Asset] {
        (0..<assetCount).map { number in
            let original = self[index(startIndex, offsetBy: number % count)]
            let identifier = AssetIdentifier(
                high: original.identifier.high, low: original.identifier.low &+ UInt64(number / count))
            guard number >= count else { return original }
            let copy = original.copy(identifier: identifier)
            if let hash = original.thumbHash { copy.keepThumbHash(hash) }
            return copy
        }
    }
}
