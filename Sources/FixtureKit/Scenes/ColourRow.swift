/// A row of red, green and blue.
struct ColourRow {
    let red: UnsafeMutablePointer<Int32>
    let green: UnsafeMutablePointer<Int32>
    let blue: UnsafeMutablePointer<Int32>

    /// Lays `colour`, brightened by `light`, over pixel `x` with `coverage` of 0...256.
    @inline(__always)
    func blend(_ colour: Colour, light: Int32 = 0, at x: Int, coverage: Int32) {
        red[x] = red[x] &+ ((colour.red &+ light &- red[x]) &* coverage) >> 8
        green[x] = green[x] &+ ((colour.green &+ light &- green[x]) &* coverage) >> 8
        blue[x] = blue[x] &+ ((colour.blue &+ light &- blue[x]) &* coverage) >> 8
    }
}
