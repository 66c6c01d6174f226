extension TapTable {
    /// A scroll asks for the same few sizes again and again, four tables for each shape of picture, and a table costs some
    /// 5000 sines.
    private static let madeTables = MadeValues<Key, TapTable>(capacity: 128)

    /// The table for `key`, which may have been made before.
    static func made(for key: Key) -> TapTable {
        // Tables of huge images are not worth their memory.
        madeTables.value(for: key, isKept: { $0.fixedWeights.count <= 1 << 16 }, make: { TapTable(key) })
    }
}
