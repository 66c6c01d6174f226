/// The noise of a camera: mostly in brightness, less in colour, and stronger where there is more light to count.
struct SensorNoise {
    let seed: UInt64
    /// Standard deviation in mid-grey, in hundredths of an 8-bit step.
    let hundredths: Int

    /// Adds noise and clamps to 12 bits.
    func expose(_ row: ColourRow, y: Int, width: Int) {
        // Two bytes add up to a triangle whose deviation is 104; 12-bit values are 16 to an 8-bit step.
        let strength = Int32(hundredths * 16 * 256 / (100 * 104))
        var counter = SplitMix.mixed(seed ^ UInt64(y) &* 0xD6E8_FEB8_6659_FD93)
        for x in 0..<width {
            counter = counter &+ 0x9E37_79B9_7F4A_7C15
            let bits = SplitMix.mixed(counter)
            let shot = (strength &* (2600 &+ row.green[x])) >> 12
            let shared = Self.triangle(bits) &* shot
            row.red[x] = Self.exposed(row.red[x], (shared &+ Self.triangle(bits >> 16) &* shot >> 1) >> 8)
            row.green[x] = Self.exposed(row.green[x], (shared &+ Self.triangle(bits >> 32) &* shot >> 2) >> 8)
            row.blue[x] = Self.exposed(row.blue[x], (shared &+ Self.triangle(bits >> 48) &* shot >> 1) >> 8)
        }
    }

    @inline(__always)
    private static func triangle(_ bits: UInt64) -> Int32 {
        Int32(truncatingIfNeeded: bits & 255) &+ Int32(truncatingIfNeeded: (bits >> 8) & 255) &- 255
    }

    @inline(__always)
    private static func exposed(_ value: Int32, _ noise: Int32) -> Int32 {
        min(max(value &+ noise, 0), 4095)
    }
}
