extension SingleScanTable {
    private struct Key: Hashable {
        let definition: [UInt8]
        let isAC: Bool

        // An array hashes its bytes one by one.
        func hash(into hasher: inout Hasher) {
            definition.withUnsafeBytes { hasher.combine(bytes: $0) }
        }
    }

    /// Cameras use the same few tables for all their files.
    private static let madeTables = MadeValues<Key, SingleScanTable>(capacity: 32)

    /// The table for a code, which may have been made before from an equal definition.
    static func made(for code: HuffmanCode, isAC: Bool) -> SingleScanTable {
        madeTables.value(for: Key(definition: code.definition, isAC: isAC)) { SingleScanTable(code, isAC: isAC) }
    }
}
