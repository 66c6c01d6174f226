/// Colours described by code points for primaries, transfer and matrix (ITU-T H.273). An `nclx` box of a HEIF file or a
/// `cICP` chunk of a PNG states them.
public struct CodingIndependentColor: Sendable, Hashable {
    /// The code of the primaries: 1 for BT.709 and sRGB, 9 for BT.2020, 12 for Display P3, 2 for unspecified.
    public var primaries: UInt16
    /// The code of the transfer function: 1, 6, 14 and 15 for BT.709's curve, 8 for linear light, 13 for sRGB's curve,
    /// 16 for PQ, 18 for HLG, 2 for unspecified.
    public var transfer: UInt16
    /// The code of the matrix: 0 for RGB, other codes for the luma and chroma of the samples. HEIF decoders convert
    /// luma and chroma to RGB by themselves.
    public var matrix: UInt16
    /// Whether samples use their full range of values; if not, they use only the range between a video's black and
    /// white.
    public var isFullRange: Bool

    /// Makes a description of colours from its code points.
    public init(primaries: UInt16, transfer: UInt16, matrix: UInt16, isFullRange: Bool) {
        self.primaries = primaries
        self.transfer = transfer
        self.matrix = matrix
        self.isFullRange = isFullRange
    }
}
