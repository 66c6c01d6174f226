extension ScanStates {
    private struct Key: Hashable {
        struct Block: Hashable {
            let dc: ObjectIdentifier
            let ac: ObjectIdentifier
            let scale: Int
        }

        let blocks: [Block]
        let keepsCoefficients: Bool
    }

    /// A cache of decoder states. It saves time because the tiles of a picture, or the previews of a camera's files,
    /// mostly need equal states. A key contains the `ObjectIdentifier` of each table. Such an identifier could be given
    /// to another table after its table is released. But the states in the cache retain their tables, so no table of a
    /// key is released.
    private static let cachedStates = ValueCache<Key, ScanStates>(capacity: 16)

    /// Returns the decoder states for the blocks of a minimum coded unit. States that were made before for equal blocks
    /// are used again.
    static func cached(_ blocks: [Block], keepsCoefficients: Bool) -> ScanStates {
        let key = Key(
            blocks: blocks.map {
                Key.Block(dc: ObjectIdentifier($0.dc), ac: ObjectIdentifier($0.ac), scale: $0.scale)
            }, keepsCoefficients: keepsCoefficients)
        return cachedStates.value(for: key) { ScanStates(blocks, keepsCoefficients: keepsCoefficients) }
    }
}
