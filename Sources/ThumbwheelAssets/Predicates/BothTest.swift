struct BothTest: RowTest {
    let first: any RowTest
    let second: any RowTest

    func refine(_ mask: inout RowMask, in chunk: Chunk) {
        first.refine(&mask, in: chunk)
        if !mask.isEmpty { second.refine(&mask, in: chunk) }
    }

    var dates: DateBounds { first.dates.intersection(second.dates) }
}
