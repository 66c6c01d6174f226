/// The bits of a pixel that hold one channel, and a table that maps the channel's values to 8-bit levels.
struct BMPChannelMask {
    private let mask: UInt32
    private let shift: UInt32
    private let levels: [UInt8]

    init(_ mask: Int) {
        self.mask = UInt32(truncatingIfNeeded: mask)
        let lowest = self.mask.trailingZeroBitCount
        let width = self.mask == 0 ? 0 : 32 - self.mask.leadingZeroBitCount - lowest
        // Only the highest 8 bits of a channel are kept, even if the channel has more. A channel without any bits is
        // always 0.
        let kept = min(width, 8)
        shift = UInt32(width == 0 ? 0 : lowest + width - kept)
        let largest = max(1, 1 << kept - 1)
        levels = (0..<256).map { UInt8(min(255, ($0 * 255 + largest / 2) / largest)) }
    }

    func level(of pixel: UInt32) -> UInt8 { levels[Int((pixel & mask) &>> shift & 255)] }
}
