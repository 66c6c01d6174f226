extension TapTable {
    /// Tables made before. They are kept because scrolling asks for the same few sizes again and again, with four tables
    /// for each shape of picture, and a table costs some 5000 sines.
    private static let madeTables = MadeValues<Key, TapTable>(capacity: 128)

    /// Returns the table for a key, taken from those made before if it was kept.
    static func made(for key: Key) -> TapTable {
        // Tables of huge images are not kept, because they take too much memory.
        madeTables.value(for: key, isKept: { $0.fixedWeights.count <= 1 << 16 }, make: { TapTable(key) })
    }
}
