import Thumbwheel

extension RandomAccessCollection<Asset> {
    /// As many assets as are asked for: asset *i* is photograph *i* mod *n* under an identifier of its own, so that what is
    /// made for one never serves another. Hashes that photographs came with their copies come with too, as they would if they
    /// had been imported as often.
    ///
    /// - Precondition: there is a photograph, or nothing is asked for.
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
