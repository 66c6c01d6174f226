/// A test of rows one by one, for values that are not in a plain column.
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
