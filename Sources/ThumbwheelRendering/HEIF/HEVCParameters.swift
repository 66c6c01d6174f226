import ThumbwheelCore

/// The parameters from which a decoder of HEVC pictures is made.
package struct HEVCParameters: Sendable {
    /// The contents of the `hvcC` box, which have been checked.
    package let configuration: [UInt8]
    /// The size of a coded picture including its padding. No picture may be larger.
    package let codedSize: PixelSize
    /// Whether the edges of blocks are smoothed, as the standard requires. False only for images so much smaller than
    /// the picture that the difference can hardly be seen, because smoothing takes time.
    package let isFiltered: Bool
}
