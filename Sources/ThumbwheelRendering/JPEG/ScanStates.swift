/// What an entropy decoder does next, by the block of a minimum coded unit that it is in and by how many of the block's
/// coefficients are behind it: a state for each, so that going on is two loads and no decision.
///
/// A state is a pointer. An entry of `HuffmanTable` says how many states further it leads (`advance`); from the state that is
/// met there come the table for what follows, the place of the coefficient just read, and the state to go on from, which is
/// another one only where the block has ended.
final class ScanStates {
    /// What comes of arriving at a state.
    struct Move {
        /// In states' bytes, to the one to go on from.
        var next: Int16
        /// Samples to the next block; 0 within a block.
        var step: Int16
        /// Where the coefficient goes. Those that nobody wants go to the next block's DC coefficient, which is read later.
        var slot: Int16
        private var padding: Int16 = 0

        init(next: Int, step: Int, slot: Int) {
            self.next = Int16(next)
            self.step = Int16(step)
            self.slot = Int16(slot)
        }
    }

    /// A block of a unit, as the scan orders them.
    struct Block {
        let dc: HuffmanTable
        let ac: HuffmanTable
        let scale: Int
    }

    static let count = 256
    static let stateByteCount = 8
    /// A block's states are aligned to their size, as a power of 2.
    static let blockShift = 12
    static let blockByteCount = 1 << blockShift
    /// From a state's table to its move.
    static let moveOffset = count * stateByteCount

    let blocks: [Block]
    /// Samples of a unit.
    let unitSampleCount: Int
    let largestBlock: Int
    private let storage: UnsafeMutableRawPointer

    /// - Parameter keepsCoefficients: false where only DC coefficients are wanted; blocks take up as much room.
    init(_ blocks: [Block], keepsCoefficients: Bool) {
        self.blocks = blocks
        unitSampleCount = blocks.reduce(0) { $0 + $1.scale * $1.scale }
        largestBlock = blocks.reduce(0) { max($0, $1.scale * $1.scale) }
        storage = .allocate(byteCount: blocks.count * Self.blockByteCount, alignment: Self.blockByteCount)
        for (index, block) in blocks.enumerated() {
            let next = (index + 1) % blocks.count
            let slots = SlotTable(scale: keepsCoefficients ? block.scale : 1, width: block.scale)
            let base = storage + index * Self.blockByteCount
            for place in 0..<Self.count {
                let state = base + place * Self.stateByteCount
                let table = state.bindMemory(to: UnsafePointer<UInt32>?.self, capacity: 1)
                let move = (state + Self.moveOffset).bindMemory(to: Move.self, capacity: 1)
                let slot = slots[place & 63 == 0 && place > 0 ? 64 : place & 63]
                if place < 64 {
                    table.initialize(to: place > slots.lastKept ? block.ac.runs : block.ac.coefficients)
                    move.initialize(to: Move(next: 0, step: 0, slot: slot))
                } else if place == 64 || place >= HuffmanTable.ends && place < HuffmanTable.escape {
                    let way = (next - index) * (Self.blockByteCount / Self.stateByteCount) - place
                    table.initialize(to: blocks[next].dc.coefficients)
                    move.initialize(to: Move(next: way, step: block.scale * block.scale, slot: slot))
                } else {
                    table.initialize(to: nil)
                    move.initialize(to: Move(next: 0, step: 0, slot: 0))
                }
            }
        }
    }

    deinit {
        storage.deallocate()
    }

    /// The state between two units, and its table.
    var first: UnsafeRawPointer { UnsafeRawPointer(storage) }
    var firstTable: UnsafePointer<UInt32> { blocks[0].dc.coefficients }
}
