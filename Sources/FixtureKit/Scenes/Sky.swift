/// A sky with fractal clouds and the glow of a sun.
struct Sky {
    var zenith: Colour
    var horizon: Colour
    var cloud: Colour
    var sun: Colour
    /// Thousandths of width and height.
    var sunAcross = 300
    var sunDown = 200
    /// -2048 (clear) ... 2048 (overcast).
    var cloudiness: Int32 = 0

    /// Paints the part of a sky that reaches down to row `bottom`.
    struct Painter {
        private let sky: Sky
        private let frame: Frame
        private let bottom: Int
        private let clouds: FractalNoise
        private let density: SampleRow

        init(_ sky: Sky, frame: Frame, bottom: Int, seed: UInt32) {
            self.sky = sky
            self.frame = frame
            self.bottom = max(bottom, 1)
            clouds = FractalNoise(seed: seed, gain: 132)
            density = SampleRow(count: frame.width)
        }

        func paint(row y: Int, into row: ColourRow) {
            let down = Int32(min(256, y * 256 / bottom))
            let base = sky.zenith.mixed(with: sky.horizon, down)
            // Clouds near the horizon are seen from the side: flatter, and drowned in haze.
            density.clear()
            let step = frame.step(cells: 5)
            let rowStep = frame.step(cells: 12)
            clouds.add(
                to: density.values, count: frame.width, step: step, rowStep: rowStep, y: y * rowStep, amplitude: 2300)
            let thinning = 256 - down * down / 400
            let radius = max(1, max(frame.width, frame.height) / 5)
            let glowSquare = radius * radius
            let sunX = frame.columns(sky.sunAcross)
            let dy = y - frame.rows(sky.sunDown)
            for x in 0..<frame.width {
                row.red[x] = base.red
                row.green[x] = base.green
                row.blue[x] = base.blue
                let thickness = density.values[x] &+ sky.cloudiness
                let cover = (coverage(thickness >> 2) &* thinning) >> 8
                // Thick clouds are darker below.
                row.blend(sky.cloud, light: -max(0, thickness) >> 2, at: x, coverage: cover)
                let dx = x &- sunX
                let glow = Int32(truncatingIfNeeded: 230 * glowSquare / (glowSquare &+ 6 * (dx &* dx &+ dy &* dy)))
                row.blend(sky.sun, at: x, coverage: glow &- (glow &* cover) >> 9)
            }
        }
    }
}
