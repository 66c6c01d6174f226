/// The Huffman codes of a scan's blocks, for what the lookup tables do not say.
final class ScanCodes {
    private let dc: [HuffmanCode]
    private let ac: [HuffmanCode]

    init(_ blocks: [ScanStates.Block]) {
        dc = blocks.map(\.dc.code)
        ac = blocks.map(\.ac.code)
    }

    /// The symbol whose code stands at the top of 16 bits, and the code's length; nil where there is none.
    func symbol(at bits: Int, block: Int, isDC: Bool) -> (symbol: Int, length: Int)? {
        (isDC ? dc[block] : ac[block]).symbol(at: bits)
    }
}
