/// How a JPEG is coded, from its frame header (ITU-T T.81, B.2.2).
public struct JPEGCoding: Sendable, Equatable {
    /// The coding process of the frame, from the type of its header (SOF marker).
    public enum Process: String, Sendable {
        /// Baseline sequential DCT.
        case baseline
        /// Extended sequential DCT.
        case extendedSequential
        /// Progressive DCT.
        case progressive
        /// Lossless coding, without a DCT.
        case lossless
        /// Hierarchical coding: several frames, each of which refines the frame before it.
        case hierarchical
    }

    /// The coding process.
    public var process: Process
    /// Whether the entropy coding is arithmetic instead of Huffman.
    public var isArithmetic: Bool
    /// The horizontal and vertical sampling factors of each component, in the frame header's order.
    public var samplingFactors: [SamplingFactor]
    /// The number of minimum coded units between restart markers; 0 if there are none.
    public var restartInterval: Int

    /// The sampling factors of one component: its resolution in comparison with the others.
    public struct SamplingFactor: Sendable, Equatable {
        /// The horizontal factor, 1 to 4.
        public var horizontal: Int
        /// The vertical factor, 1 to 4.
        public var vertical: Int

        /// Makes a pair of factors.
        public init(horizontal: Int, vertical: Int) {
            self.horizontal = horizontal
            self.vertical = vertical
        }
    }

    /// Makes a description of a coding.
    public init(process: Process, isArithmetic: Bool, samplingFactors: [SamplingFactor], restartInterval: Int) {
        self.process = process
        self.isArithmetic = isArithmetic
        self.samplingFactors = samplingFactors
        self.restartInterval = restartInterval
    }
}
