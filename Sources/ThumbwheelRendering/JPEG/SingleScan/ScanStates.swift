/// What an entropy decoder does next, by the block of a minimum coded unit that it is in and by how many of the block's
/// coefficients are behind it: a state for each, so that going on is a few loads and no decision.
///
/// A state is a pointer. An entry of `SingleScanTable` says how many states further it leads (`advance`); from the state that is
/// met there come the table for what follows, the place of the coefficient just read, and the state to go on from, which is
/// another one where the block has ended, and behind an escape. What impossible data lead to goes nowhere.
final class ScanStates: Sendable {
    /// What comes of arriving at a state.
    struct Move {
        /// Bytes to the next block; 0 within a block.
        var step: Int32
        /// Where the coefficient goes. Those that nobody wants go to the next block's DC coefficient, which is read later.
        var slot: Int32
    }

    /// A block of a unit, as the scan orders them.
    struct Block: Sendable {
        let dc: SingleScanTable
        let ac: SingleScanTable
        let scale: Int
    }

    /// As far as an escape leads from a block's last place.
    static let count = SingleScanTable.escape + 64
    static let stateByteCount = 8
    /// From a state's table to the state to go on from, and to its move.
    static let nextOffset = count * stateByteCount
    static let moveOffset = 2 * nextOffset
    static let blockByteCount = 3 * nextOffset

    let blocks: [Block]
    /// Samples of a unit.
    let unitSampleCount: Int
    let largestBlock: Int
    // Written only inside `init`, before anyone else can hold the object, and read-only afterwards.
    private nonisolated(unsafe) let storage: UnsafeMutableRawPointer

    /// - Parameter keepsCoefficients: false where only DC coefficients are wanted; blocks take up as much room.
    init(_ blocks: [Block], keepsCoefficients: Bool) {
        self.blocks = blocks
        unitSampleCount = blocks.reduce(0) { $0 + $1.scale * $1.scale }
        largestBlock = blocks.reduce(0) { max($0, $1.scale * $1.scale) }
        storage = .allocate(byteCount: blocks.count * Self.blockByteCount, alignment: 64)
        for (index, block) in blocks.enumerated() {
            let next = (index + 1) % blocks.count
            let slots = SlotTable(scale: keepsCoefficients ? block.scale : 1, width: block.scale)
            let base = storage + index * Self.blockByteCount
            let junk = block.scale * block.scale
            for place in 0..<Self.count {
                let state = base + place * Self.stateByteCount
                switch place {
                case 0..<64:
                    let table = block.ac.coefficients(at: place, isWanted: place <= slots.lastKept)
                    Self.initialize(state, table, next: state, slot: slots[place])
                case 64, SingleScanTable.ends + 1...SingleScanTable.ends + 64:
                    Self.initialize(
                        state, blocks[next].dc.differences, next: storage + next * Self.blockByteCount, step: 2 * junk,
                        slot: slots[place == 64 ? 64 : place - SingleScanTable.ends])
                case SingleScanTable.escape...:
                    let table = place == SingleScanTable.escape ? block.dc.remainders : block.ac.remainders
                    Self.initialize(
                        state, table, next: state - SingleScanTable.escape * Self.stateByteCount, slot: junk)
                default:
                    Self.initialize(state, SingleScanTable.nowhere, next: state, slot: junk)
                }
            }
        }
    }

    deinit {
        storage.deallocate()
    }

    private static func initialize(
        _ state: UnsafeMutableRawPointer, _ table: UnsafePointer<UInt32>, next: UnsafeMutableRawPointer, step: Int = 0,
        slot: Int
    ) {
        state.initializeMemory(as: UnsafePointer<UInt32>.self, to: table)
        (state + nextOffset).initializeMemory(as: UnsafeRawPointer.self, to: UnsafeRawPointer(next))
        (state + moveOffset).initializeMemory(as: Move.self, to: Move(step: Int32(step), slot: Int32(slot)))
    }

    /// The state between two units, and its table.
    var first: UnsafeRawPointer { UnsafeRawPointer(storage) }
    var firstTable: UnsafePointer<UInt32> { blocks[0].dc.differences }
}
