/// Positions on a noise lattice: 32 bits of whole cells, 32 bits of fraction.
///
/// So many bits keep the same scene in the same place at every picture size: a step that is rounded to 2^-32 of a cell
/// is still exact to a thousandth of a pixel after ten thousand pixels and twelve octaves.
typealias LatticePosition = Int

/// Smoothed random values on a grid, in integers only, so that every machine computes the same bits.
///
/// It works along a row of pixels: the two lattice rows above and below are blended once per cell, and a pixel costs one
/// more blend.
struct ValueNoise {
    let seed: UInt32

    /// Adds noise between about -`amplitude` and `amplitude` to `count` values; lattice column 0 is the one in the middle.
    func add(
        to row: UnsafeMutablePointer<Int32>, count: Int, step: LatticePosition, y: LatticePosition, amplitude: Int32
    ) {
        let latticeRow = Int32(truncatingIfNeeded: y >> 32)
        let vertical = Self.smoothed(Int32(truncatingIfNeeded: (y >> 22) & 1023))
        var position = -(count / 2) &* step
        var cell = position >> 32
        var left = blended(column: Int32(truncatingIfNeeded: cell), row: latticeRow, vertical: vertical)
        var right = blended(column: Int32(truncatingIfNeeded: cell &+ 1), row: latticeRow, vertical: vertical)
        var x = 0
        while x < count {
            let current = position >> 32
            if current != cell {
                left =
                    current == cell &+ 1
                    ? right : blended(column: Int32(truncatingIfNeeded: current), row: latticeRow, vertical: vertical)
                right = blended(column: Int32(truncatingIfNeeded: current &+ 1), row: latticeRow, vertical: vertical)
                cell = current
            }
            let horizontal = Self.smoothed(Int32(truncatingIfNeeded: (position >> 22) & 1023))
            let value = left &+ ((right &- left) &* horizontal) >> 10
            row[x] = row[x] &+ (value &* amplitude) >> 11
            position = position &+ step
            x = x &+ 1
        }
    }

    @inline(__always)
    private func blended(column: Int32, row: Int32, vertical: Int32) -> Int32 {
        let upper = value(column, row)
        let lower = value(column, row &+ 1)
        return upper &+ ((lower &- upper) &* vertical) >> 10
    }

    /// The lattice's own value, -2048...2047.
    @inline(__always)
    private func value(_ column: Int32, _ row: Int32) -> Int32 {
        var bits = UInt32(bitPattern: column) &* 0x9E37_79B1 ^ UInt32(bitPattern: row) &* 0x85EB_CA77 ^ seed
        bits ^= bits >> 15
        bits = bits &* 0x2C1B_3C6D
        bits ^= bits >> 12
        bits = bits &* 0x297A_2D39
        bits ^= bits >> 15
        return Int32(truncatingIfNeeded: bits >> 20) &- 2048
    }

    /// 3f² - 2f³ on 0...1023.
    @inline(__always)
    private static func smoothed(_ fraction: Int32) -> Int32 {
        (fraction &* fraction &* (3072 &- 2 &* fraction)) >> 20
    }
}
