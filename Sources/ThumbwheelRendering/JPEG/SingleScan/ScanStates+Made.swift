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

    /// Decoder states that were made before. They are kept because the tiles of a picture, or the previews of a
    /// camera's files, mostly need equal states. Keys identify tables by `ObjectIdentifier`. Kept states retain their
    /// tables, so no new table can get the identifier of one in a key.
    private static let madeStates = MadeValues<Key, ScanStates>(capacity: 16)

    /// Returns the decoder states for the blocks of a minimum coded unit. States that were made before for equal blocks
    /// are used again.
    static func made(_ blocks: [Block], keepsCoefficients: Bool) -> ScanStates {
        let key = Key(
            blocks: blocks.map {
                Key.Block(dc: ObjectIdentifier($0.dc), ac: ObjectIdentifier($0.ac), scale: $0.scale)
            }, keepsCoefficients: keepsCoefficients)
        return madeStates.value(for: key) { ScanStates(blocks, keepsCoefficients: keepsCoefficients) }
    }
}
