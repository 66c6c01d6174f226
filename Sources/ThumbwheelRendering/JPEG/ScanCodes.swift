/// The Huffman codes of a scan's blocks, for what the lookup tables do not say, and what its lanes share in memory.
final class ScanCodes {
    private let blocks: [ScanStates.Block]

    /// Where lanes in turn note how far they have written.
    let outputs: EntropyLane.Outputs = .allocate(capacity: 3)

    /// Where lanes note where they are; nil where nobody will ask.
    let marks: EntropyMarks?
    /// Turns after which lanes do, if not before.
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

    /// The symbol whose code stands at the top of 16 bits, and the code's length; nil where there is none.
    func symbol(at bits: Int, block: Int, isDC: Bool) -> HuffmanCode.Symbol? {
        (isDC ? blocks[block].dc : blocks[block].ac).code.symbol(at: bits)
    }
}
