/// A test that calls a function for each row. It is for values, such as texts, that are not stored in an array with one
/// element for each row.
struct SlotTest: RowTest {
    let holds: @Sendable (ChunkColumns, Int) -> Bool

    func refine(_ mask: inout RowMask, in chunk: Chunk) {
        var found = RowMask.none
        mask.forEachSlot { slot in
            if holds(chunk.columns, slot) { found.insert(slot) }
        }
        mask = found
    }
}
