struct FlagTest: RowTest {
    let flag: RowFlag

    func refine(_ mask: inout RowMask, in chunk: Chunk) { mask &= chunk.columns.mask(flag) }
}
