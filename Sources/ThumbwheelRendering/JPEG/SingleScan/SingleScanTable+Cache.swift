extension SingleScanTable {
    private struct Key: Hashable {
        let definition: [UInt8]
        let isAC: Bool

        // All bytes are hashed by one call, because hashing the array itself would take a call for each byte.
        func hash(into hasher: inout Hasher) {
            definition.withUnsafeBytes { hasher.combine(bytes: $0) }
        }
    }

    /// Lookup tables that were made for earlier files. They are kept because a camera uses the same few tables for all
    /// its files.
    private static let cachedTables = ValueCache<Key, SingleScanTable>(capacity: 32)

    /// Returns the table for a code. A table that was made before for an equal definition is used again.
    static func cached(for code: HuffmanCode, isAC: Bool) -> SingleScanTable {
        cachedTables.value(for: Key(definition: code.definition, isAC: isAC)) { SingleScanTable(code, isAC: isAC) }
    }
}
