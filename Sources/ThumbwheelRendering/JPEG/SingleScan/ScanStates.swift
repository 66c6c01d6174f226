/// The states of an entropy decoder. A state says how far decoding has come: in which block of a minimum coded unit it
/// is, and how many coefficients of this block have been read. With these states, a decoding step takes a few loads and
/// no branch.
///
/// A decoding step looks up the next bits of the data in the table of the current state, a `SingleScanTable`. The entry
/// found there has a number, the advance. The step adds the advance to the current state, and so arrives at another
/// state. Three things are stored for the state at which a step arrives:
/// - the table for the next code
/// - a `Move`: where the coefficient that was just read is written
/// - the state from which the next step begins
///
/// Mostly the next step begins from the state at which the last step has arrived. There are two exceptions:
/// - At the end of a block, the next step begins from the first state of the next block.
/// - After the first part of a code word that is too long for one lookup, it begins from the state in which the word
///   began.
///
/// Invalid data lead to states from which decoding cannot move on.
final class ScanStates: Sendable {
    /// Describes how the decoder writes the coefficient that was just read: its place in the block, and how far to move
    /// the output address afterwards. Each state has one such value.
    struct Move {
        /// The number of bytes by which the output address moves on. It is the size of the block if the state ends the
        /// block, and otherwise 0.
        var step: Int32
        /// The slot of the coefficient, that is, its place in the block as it is stored. An unwanted coefficient gets
        /// the slot of the next block's DC coefficient. That DC coefficient is read later, and then overwrites the
        /// unwanted one.
        var slot: Int32
    }

    /// A block of a minimum coded unit. Blocks are listed in the order of the scan.
    struct Block: Sendable {
        let dc: SingleScanTable
        let ac: SingleScanTable
        let scale: Int
    }

    /// The number of states for each block of a minimum coded unit. The block's 64 coefficients have the states 0 to
    /// 63. The first part of a long code word leads from state n to state `escape + n`. So the last state is
    /// `escape + 63`.
    static let count = SingleScanTable.escape + 64
    static let stateByteCount = 8
    /// The distance in bytes from the first to the second of the three arrays that a block has in memory. Each array
    /// has one element for each state of the block:
    /// - the address of the table for the next code; a pointer to a state points to this element
    /// - the address of the state that becomes the current one
    /// - a `Move`
    static let nextOffset = count * stateByteCount
    /// The distance in bytes from the first to the third of the three arrays that a block has in memory. The third
    /// array contains a `Move` for each state of the block. `nextOffset` describes the other two arrays.
    static let moveOffset = 2 * nextOffset
    static let blockByteCount = 3 * nextOffset

    let blocks: [Block]
    /// The number of coefficients that are stored for a minimum coded unit.
    let unitSampleCount: Int
    let largestBlock: Int
    // This memory is written only inside `init`, before any other thread can have a reference to this object, and
    // read-only afterwards.
    private nonisolated(unsafe) let storage: UnsafeMutableRawPointer

    /// Makes the states for the blocks of a minimum coded unit.
    ///
    /// - Parameter keepsCoefficients: false if only DC coefficients are wanted; blocks take the same room in either
    ///   case.
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
                    Self.initialize(state, SingleScanTable.stuckEntries, next: state, slot: junk)
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

    /// The decoder state at the start of a minimum coded unit, before any of its codes is read.
    var first: UnsafeRawPointer { UnsafeRawPointer(storage) }
    /// The table for the first code of a minimum coded unit: the DC table of the unit's first block.
    var firstTable: UnsafePointer<UInt32> { blocks[0].dc.differences }
}
