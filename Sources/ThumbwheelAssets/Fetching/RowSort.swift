/// A stable sort of rows by the values in their columns. It takes linear time, except for texts.
enum RowSort {
    /// Returns the rows sorted by the descriptors, the most important descriptor first.
    ///
    /// - Parameter rows: the rows in ascending order. Rows with equal values stay in this order.
    static func sorted(_ rows: [UInt32], by descriptors: [AssetSortDescriptor], in snapshot: Snapshot) -> [UInt32] {
        var rows = rows
        // The rows are sorted by the least important key first. Each following sort is stable, so that rows with equal
        // values of a more important key stay in the order of the less important keys.
        for descriptor in descriptors.reversed() {
            let ascending = descriptor.isAscending
            switch descriptor.column {
            case .texts(let column):
                sort(&rows, ascending) {
                    column($0).text(at: $1)
                } in: {
                    snapshot.chunks[$0]
                }
            case .identifiers:
                radixSort(&rows, identifierKeys(rows, snapshot) { $0.low }, ascending)
                radixSort(&rows, identifierKeys(rows, snapshot) { $0.high }, ascending)
            case .numbers(let column, let absent):
                radixSort(&rows, numberKeys(rows, snapshot, column, absent), ascending)
            case let column:
                radixSort(&rows, slowKeys(rows, snapshot, column), ascending)
            }
        }
        return rows
    }

    private static func sort(
        _ rows: inout [UInt32], _ ascending: Bool, _ text: (ChunkColumns, Int) -> String, in chunk: (Int) -> Chunk
    ) {
        let keyed = rows.enumerated().map { place, row in
            (text: text(chunk(Chunk.index(of: row)).columns, Chunk.slot(of: row)), place: place, row: row)
        }
        rows = keyed.sorted { one, other in
            one.text == other.text ? one.place < other.place : (one.text < other.text) == ascending
        }.map(\.row)
    }

    /// Collects the sort keys of rows. For consecutive rows in the same chunk, the column of the chunk is looked up
    /// only once.
    @inline(__always)
    private static func gather<Value>(
        _ rows: [UInt32], _ snapshot: Snapshot, _ column: (ChunkColumns) -> [Value], _ key: (Value) -> UInt64,
        absent: UInt64
    ) -> [UInt64] {
        [UInt64](unsafeUninitializedCapacity: rows.count) { keys, count in
            var place = 0
            while place < rows.count {
                let index = Chunk.index(of: rows[place])
                let values = column(snapshot.chunks[index].columns)
                while place < rows.count, Chunk.index(of: rows[place]) == index {
                    (keys.baseAddress! + place).initialize(
                        to: values.isEmpty ? absent : key(values[Chunk.slot(of: rows[place])]))
                    place += 1
                }
            }
            count = place
        }
    }

    private static func identifierKeys(
        _ rows: [UInt32], _ snapshot: Snapshot, _ word: (AssetIdentifier) -> UInt64
    ) -> [UInt64] {
        gather(rows, snapshot, { $0.identifiers }, word, absent: 0)
    }

    private static func numberKeys(
        _ rows: [UInt32], _ snapshot: Snapshot, _ column: (ChunkColumns) -> [Double], _ absent: Double
    ) -> [UInt64] {
        gather(rows, snapshot, column, { SortKey.bits($0) }, absent: SortKey.bits(absent))
    }

    private static func slowKeys(_ rows: [UInt32], _ snapshot: Snapshot, _ column: KeyColumn?) -> [UInt64] {
        rows.map { row in
            let key = SortKey(column, snapshot.chunks[Chunk.index(of: row)].columns, Chunk.slot(of: row))
            return if case .number(let bits) = key { bits } else { 0 }
        }
    }

    private static func radixSort(_ rows: inout [UInt32], _ keys: [UInt64], _ ascending: Bool) {
        guard let first = keys.first else { return }
        // The bits in which at least two keys differ. The sort looks only at the range from the lowest to the highest
        // of these bits. For dates in whole seconds, this range has about thirty bits.
        var varying: UInt64 = 0
        for key in keys { varying |= key ^ first }
        guard varying != 0 else { return }
        let shift = UInt64(varying.trailingZeroBitCount)
        let width = 64 - varying.leadingZeroBitCount - Int(shift)
        let mask: UInt64 = width == 64 ? .max : 1 << UInt64(width) - 1
        // Rows with equal keys must keep their order in a descending sort too. If the result were reversed, their order
        // would be reversed too. So the bits of the keys are inverted instead.
        let flip = ascending ? 0 : mask
        if width <= 32 {
            var items = zip(keys, rows).map { key, row in ((key >> shift & mask ^ flip) << 32 | UInt64(row)) }
            RadixSort.sort(&items, fromBit: 32, bitCount: width) { $0 }
            rows = items.map { UInt32(truncatingIfNeeded: $0) }
        } else {
            var items = zip(keys, rows).map { key, row in WideItem(key: key >> shift & mask ^ flip, row: row) }
            RadixSort.sort(&items, fromBit: 0, bitCount: width) { $0.key }
            rows = items.map(\.row)
        }
    }

    private struct WideItem {
        var key: UInt64
        var row: UInt32
    }
}
