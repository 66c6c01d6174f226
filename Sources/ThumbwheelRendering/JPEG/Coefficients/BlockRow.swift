/// A horizontal line of one component's blocks, across several neighbouring minimum coded units whose coefficients lie
/// in an `InterleavedBlocks`.
struct BlockRow {
    let count: Int
    // The first coefficient of the row's first block.
    private let first: UnsafePointer<Int16>
    // The number of coefficients from a block to the block at the same position in the next minimum coded unit.
    private let unitStep: Int
    // The number of this row's blocks in each minimum coded unit.
    private let width: Int
    // The number of coefficients from a block to the next block of the row in the same minimum coded unit. It is the
    // size of a block.
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

    /// Returns pointers to eight successive blocks of the row, each to the block's first coefficient. If the row has
    /// fewer than eight blocks left, the remaining pointers point at readable memory whose contents have no meaning.
    ///
    /// - Parameter index: the index in the row of the first of these blocks. It must be a multiple of eight.
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
