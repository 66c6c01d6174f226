/// A component's blocks along a line of a run's units.
struct BlockRow {
    let count: Int
    // The first block of the line in the first unit; from unit to unit; blocks of a unit's line, and samples of each.
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

    /// The first coefficients of eight blocks from a multiple of eight on. Those behind the last can be read, whatever they
    /// are.
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
