/// A comparison of creation dates with one date. A fetch can skip a chunk (a block of rows) if the bounds of the
/// chunk's creation dates show that no row can match.
struct CreationDateTest: RowTest {
    let dates: DateBounds
    private let comparison: ComparisonTest<Double>

    init(_ relation: Relation, _ date: Double) {
        dates = DateBounds(relation, date)
        comparison = ComparisonTest(
            column: { $0.creation }, absent: AbsentNumber.value, relation: relation, value: date)
    }

    func refine(_ mask: inout RowMask, in chunk: Chunk) { comparison.refine(&mask, in: chunk) }
}
