extension TapTable {
    /// The most recently used tables of taps (the weights for resampling). They are kept because scrolling asks for the
    /// same few sizes again and again, and a table has thousands of weights to compute. Each shape of picture needs
    /// four tables, one for each axis of luma and of chroma.
    private static let cachedTables = ValueCache<Key, TapTable>(capacity: 128)

    /// Returns the table for a key. The table is taken from the cache if it is there, and made otherwise.
    static func cached(for key: Key) -> TapTable {
        // Tables of huge images are not kept, because they take too much memory.
        cachedTables.value(for: key, isKept: { $0.fixedWeights.count <= 1 << 16 }, make: { TapTable(key) })
    }
}
