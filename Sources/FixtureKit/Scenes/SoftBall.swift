/// A shaded ball (a boulder, a fruit, a lamp out of focus) with a soft edge and a shadow.
struct SoftBall {
    /// Pixels.
    var centreX: Int
    var centreY: Int
    var radius: Int
    var colour: Colour
    /// How many pixels its edge is wide.
    var softness = 2
    /// 256 is opaque.
    var opacity: Int32 = 256
    /// 0 is flat, 256 a ball lit from the upper left.
    var relief: Int32 = 256
    /// How much the texture dents the outline: 0 is round, 256 a rock.
    var roughness = 0

    /// Draws the ball's part of one row, roughened by `texture`.
    func paint(row y: Int, into row: ColourRow, width: Int, texture: UnsafeMutablePointer<Int32>) {
        let dy = y - centreY
        let reach = radius + softness
        guard abs(dy) <= reach, radius > 0 else { return }
        let first = max(0, centreX - reach)
        let last = min(width - 1, centreX + reach)
        guard first <= last else { return }
        let square = radius * radius
        for x in first...last {
            let dx = x &- centreX
            let dent = square &* Int(texture[x]) / 2048 &* roughness / 256
            let inside = square &- dx &* dx &- dy &* dy &+ dent
            // (r² - d²) / 2r is nearly the distance to the edge.
            let depth = (inside &* 128) / (radius &* max(softness, 1))
            let cover = coverage(Int32(truncatingIfNeeded: min(max(depth &+ 128, 0), 256)))
            if cover == 0 { continue }
            let slope = Int32(truncatingIfNeeded: -(dx &* 5 &+ dy &* 8) &* 130 / radius)
            let bulge = Int32(truncatingIfNeeded: max(inside, 0) &* 900 / square) &- 700
            let light = ((slope &+ bulge) &* relief) >> 8 &+ texture[x]
            row.blend(colour, light: light, at: x, coverage: (cover &* opacity) >> 8)
            // A glint, where the surface faces the light.
            let gx = dx &+ radius / 3
            let gy = dy &+ radius / 2
            let glint = 220 &- (gx &* gx &+ gy &* gy) &* 6000 / square
            if relief > 200, glint > 0 {
                row.blend(Colour(0xFFFDF4), at: x, coverage: (Int32(truncatingIfNeeded: glint) &* opacity) >> 8)
            }
        }
    }

    /// Darkens the ground under the ball.
    func paintShadow(row y: Int, into row: ColourRow, width: Int) {
        let dy = (y - centreY - radius * 9 / 10) * 4
        let dark = Colour(0x0C0A0A)
        let square = max(1, radius * radius * 2)
        let middle = centreX + radius / 3
        guard dy * dy < square else { return }
        for x in max(0, middle - 2 * radius)..<max(max(0, middle - 2 * radius), min(width, middle + 2 * radius)) {
            let dx = x &- middle
            let depth = (square &- dx &* dx &- dy &* dy) &* 190 / square
            if depth > 0 { row.blend(dark, at: x, coverage: Int32(truncatingIfNeeded: depth)) }
        }
    }
}
