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

    /// Tiles of a picture, and the previews of a camera's files, have the same few. Each holds its tables, so that no other
    /// table gets their identity.
    private static let madeStates = MadeValues<Key, ScanStates>(capacity: 16)

    /// The states for some blocks, which may have been made before.
    static func made(_ blocks: [Block], keepsCoefficients: Bool) -> ScanStates {
        let key = Key(
            blocks: blocks.map {
                Key.Block(dc: ObjectIdentifier($0.dc), ac: ObjectIdentifier($0.ac), scale: $0.scale)
            }, keepsCoefficients: keepsCoefficients)
        return madeStates.value(for: key) { ScanStates(blocks, keepsCoefficients: keepsCoefficients) }
    }
}
