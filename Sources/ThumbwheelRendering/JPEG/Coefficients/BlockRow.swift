/// One line of a component's blocks, along the minimum coded units of a run.
struct BlockRow {
    let count: Int
    // `first` is the line's first block in the first unit. `unitStep` leads to the same block of the next unit; `width`
    // counts the blocks of the line in a unit; `blockStep` counts the samples of a block.
    private let first: UnsafePointer<Int16>
    private let unitStep: Int
    private let width: Int
    private let blockStep: Int

    init(_ run: InterleavedBlocks, component: Int, line: Int, units: Range<Int>) {
        let part = run.components[component]
        precondition(line < part.vertical && units.upperBound <= run.count)
        blockStep = part.blockSampleCount
        width = part.horizontal
        unitStep = run.unitSampleCount
        count = units.count * width
        first = UnsafePointer(run.unit(units.lowerBound) + part.offset + line * width * blockStep)
    }

    typealias Eight = (
        UnsafePointer<Int16>, UnsafePointer<Int16>, UnsafePointer<Int16>, UnsafePointer<Int16>, UnsafePointer<Int16>,
        UnsafePointer<Int16>, UnsafePointer<Int16>, UnsafePointer<Int16>
    )

    /// Points at the first coefficients of eight blocks, from a block whose index is a multiple of eight. Blocks behind the
    /// last can be read, but their contents have no meaning.
    @inline(__always)
    func eight(from index: Int) -> Eight {
        @inline(__always) func block(_ index: Int) -> UnsafePointer<Int16> {
            first + (index / width &* unitStep &+ index % width &* blockStep)
        }
        switch width {
        case 1:
            let a = first + index &* unitStep
            let (b, c, d) = (a + unitStep, a + 2 &* unitStep, a + 3 &* unitStep)
            let e = a + 4 &* unitStep
            return (a, b, c, d, e, e + unitStep, e + 2 &* unitStep, e + 3 &* unitStep)
        case 2:
            let a = first + index / 2 &* unitStep
            let (c, e, g) = (a + unitStep, a + 2 &* unitStep, a + 3 &* unitStep)
            return (a, a + blockStep, c, c + blockStep, e, e + blockStep, g, g + blockStep)
        default:
            return (
                block(index), block(index &+ 1), block(index &+ 2), block(index &+ 3), block(index &+ 4),
                block(index &+ 5), block(index &+ 6), block(index &+ 7)
            )
        }
    }
}
