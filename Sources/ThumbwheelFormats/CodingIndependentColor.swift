/// Colours as code points for primaries, transfer and matrix (ITU-T H.273), as an `nclx` box of a HEIF file or a `cICP`
/// chunk of a PNG tells them.
public struct CodingIndependentColor: Sendable, Hashable {
    /// 1 for BT.709 and sRGB, 9 for BT.2020, 12 for Display P3, 2 for unspecified.
    public var primaries: UInt16
    /// 1, 6, 14 and 15 for BT.709's curve, 8 for linear light, 13 for sRGB's, 16 for PQ, 18 for HLG, 2 for unspecified.
    public var transfer: UInt16
    /// 0 for RGB, else which luma and chroma the samples are; decoders of HEIF have undone it by themselves.
    public var matrix: UInt16
    /// Whether samples take up all their values, and not those between a video's black and white.
    public var isFullRange: Bool

    public init(primaries: UInt16, transfer: UInt16, matrix: UInt16, isFullRange: Bool) {
        self.primaries = primaries
        self.transfer = transfer
        self.matrix = matrix
        self.isFullRange = isFullRange
    }
}
