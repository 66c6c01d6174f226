struct ConstantTest: RowTest {
    let holds: Bool

    var dates: DateBounds { holds ? .all : DateBounds() }

    func refine(_ mask: inout RowMask, in chunk: Chunk) {
        if !holds { mask = .none }
    }
}
