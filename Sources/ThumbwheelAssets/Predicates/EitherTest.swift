struct EitherTest: RowTest {
    let first: any RowTest
    let second: any RowTest

    func refine(_ mask: inout RowMask, in chunk: Chunk) {
        var one = mask
        first.refine(&one, in: chunk)
        var other = mask & ~one
        if !other.isEmpty { second.refine(&other, in: chunk) }
        mask = one | other
    }

    var dates: DateBounds { first.dates.hull(second.dates) }
}
