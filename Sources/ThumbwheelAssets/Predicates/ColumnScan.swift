enum ColumnScan {
    /// If at least this many of the 64 rows in a word of a `RowMask` are candidates, all 64 rows are tested in one fast
    /// loop. Otherwise, only the candidates are tested.
    private static let sparseCount = 8

    @inline(__always)
    static func refine<Value>(_ mask: inout RowMask, _ values: [Value], _ holds: (Value) -> Bool) {
        precondition(values.count == Chunk.rowCount, "a column of \(values.count) rows")
        values.withUnsafeBufferPointer { values in
            for word in 0..<Chunk.wordCount {
                let asked = mask[word]
                if asked == 0 { continue }
                let start = word &* 64
                var found: UInt64 = 0
                if asked.nonzeroBitCount < sparseCount {
                    var bits = asked
                    while bits != 0 {
                        let place = bits.trailingZeroBitCount
                        if holds(values[start &+ place]) { found |= 1 &<< UInt64(place) }
                        bits &= bits &- 1
                    }
                } else {
                    for place in 0..<min(64, Chunk.rowCount &- start) {
                        found |= (holds(values[start &+ place]) ? 1 : 0) &<< UInt64(truncatingIfNeeded: place)
                    }
                    found &= asked
                }
                mask[word] = found
            }
        }
    }
}
