/// A comparison of creation dates with one: the only test that chunks can be passed over by.
struct CreationDateTest: RowTest {
    private let comparison: ComparisonTest<Double>

    init(_ relation: Relation, _ date: Double) {
        comparison = ComparisonTest(
            column: { $0.creation }, absent: AbsentNumber.value, relation: relation, value: date)
    }

    func mayHold(between bounds: DateBounds) -> Bool { bounds.mayHold(comparison.relation, comparison.value) }

    func refine(_ mask: inout RowMask, in chunk: Chunk) { comparison.refine(&mask, in: chunk) }
}
