extension SingleScanTable {
    private struct Key: Hashable {
        let definition: [UInt8]
        let isAC: Bool

        // The bytes are hashed at once, because an array would hash them one by one.
        func hash(into hasher: inout Hasher) {
            definition.withUnsafeBytes { hasher.combine(bytes: $0) }
        }
    }

    /// Tables made before, kept because cameras use the same few for all their files.
    private static let madeTables = MadeValues<Key, SingleScanTable>(capacity: 32)

    /// Returns the table for a code, taken from those made before if the definitions are equal.
    static func made(for code: HuffmanCode, isAC: Bool) -> SingleScanTable {
        madeTables.value(for: Key(definition: code.definition, isAC: isAC)) { SingleScanTable(code, isAC: isAC) }
    }
}
