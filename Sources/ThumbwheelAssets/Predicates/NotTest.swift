struct NotTest: RowTest {
    let test: any RowTest

    func refine(_ mask: inout RowMask, in chunk: Chunk) {
        var refused = mask
        test.refine(&refused, in: chunk)
        mask &= ~refused
    }
}
