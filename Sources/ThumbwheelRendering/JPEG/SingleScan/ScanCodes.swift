/// The Huffman codes of a scan's blocks, and memory that is shared by the scan's lanes, its readers of entropy-coded
/// data. The codes serve for code words that the lookup tables do not cover.
final class ScanCodes {
    private let blocks: [ScanStates.Block]

    /// The addresses at which the lanes that take turns are writing, one for each lane.
    let outputs: EntropyLane.Outputs = .allocate(capacity: 3)

    /// Records the lanes' positions; nil if they are not needed.
    let marks: EntropyMarks?
    /// The most turns that lanes make before they record their positions again.
    let turnLimit: Int

    init(_ blocks: [ScanStates.Block], keepsMarks: Bool) {
        marks = keepsMarks ? EntropyMarks() : nil
        turnLimit = keepsMarks ? EntropyMarks.turnCount : .max
        self.blocks = blocks
        outputs.initialize(repeating: UnsafeMutablePointer(bitPattern: 8).unsafelyUnwrapped, count: 3)
    }

    deinit {
        outputs.deallocate()
    }

    /// Finds the symbol whose code stands at the top of 16 bits, and the code's length; nil if no code matches.
    func symbol(at bits: Int, block: Int, isDC: Bool) -> HuffmanCode.Symbol? {
        (isDC ? blocks[block].dc : blocks[block].ac).code.symbol(at: bits)
    }
}
