import ThumbwheelCore

/// The parameters from which a decoder of HEVC pictures is made.
package struct HEVCParameters: Sendable {
    /// The contents of the `hvcC` box, which have been checked.
    package let configuration: [UInt8]
    /// The size of a coded picture including its padding. No picture may be larger.
    package let codedSize: PixelSize
    /// Whether the edges of blocks are smoothed, as the standard requires.
    package let isFiltered: Bool
}
