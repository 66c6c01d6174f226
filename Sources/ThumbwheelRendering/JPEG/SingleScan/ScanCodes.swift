/// The Huffman codes of a scan's blocks, and memory that the scan's lanes share. The lanes are the decoders of the
/// parts of its entropy-coded data. The codes are used for code words that are too long for the lookup tables.
final class ScanCodes {
    private let blocks: [ScanStates.Block]

    /// For each lane, the address of the block that its coefficients go into. A scan's data are divided into parts. Up
    /// to three parts are decoded alternately, each by its own lane.
    let outputs: EntropyLane.Outputs = .allocate(capacity: 3)

    /// Records the positions of the lanes in the data; nil if these positions are not needed.
    let marks: EntropyMarks?
    /// The most rounds between two records of the lanes' positions. In a round, each lane makes three table lookups.
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

    /// Finds the symbol whose code is at the top of 16 bits, and the code's length; nil if no code matches.
    func symbol(at bits: Int, block: Int, isDC: Bool) -> HuffmanCode.Symbol? {
        (isDC ? blocks[block].dc : blocks[block].ac).code.symbol(at: bits)
    }
}
