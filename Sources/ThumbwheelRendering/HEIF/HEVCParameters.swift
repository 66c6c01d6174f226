import ThumbwheelCore

/// All that a decoder of HEVC pictures is made from.
package struct HEVCParameters: Sendable {
    /// The contents of the `hvcC` box. They have been checked.
    package let configuration: [UInt8]
    /// The size of a coded picture, padding included. No picture may be larger.
    package let codedSize: PixelSize
    /// Whether edges of blocks are smoothed, as the standard has it.
    package let isFiltered: Bool
}
