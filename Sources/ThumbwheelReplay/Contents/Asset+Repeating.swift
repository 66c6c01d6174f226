import Thumbwheel

extension RandomAccessCollection<Asset> {
    /// As many assets as are asked for: asset *i* is photograph *i* mod *n* under an identifier of its own, so that what is
    /// made for one never serves another.
    ///
    /// - Precondition: there is a photograph, or nothing is asked for.
    public func repeated(count assetCount: Int) -> [Asset] {
        (0..<assetCount).map { number in
            let original = self[index(startIndex, offsetBy: number % count)]
            let identifier = AssetIdentifier(
                high: original.identifier.high, low: original.identifier.low &+ UInt64(number / count))
            return number < count ? original : original.copy(identifier: identifier)
        }
    }
}
