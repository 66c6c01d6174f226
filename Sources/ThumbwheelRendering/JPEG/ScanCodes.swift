/// The Huffman codes of a scan's blocks, for what the lookup tables do not say.
final class ScanCodes {
    private let blocks: [ScanStates.Block]

    init(_ blocks: [ScanStates.Block]) {
        self.blocks = blocks
    }

    /// The symbol whose code stands at the top of 16 bits, and the code's length; nil where there is none.
    func symbol(at bits: Int, block: Int, isDC: Bool) -> HuffmanCode.Symbol? {
        (isDC ? blocks[block].dc : blocks[block].ac).code.symbol(at: bits)
    }
}
