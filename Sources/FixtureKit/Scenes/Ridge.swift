/// One range of mountains: a skyline, and a slope below it that fades into haze with distance.
struct Ridge {
    private let layer: Int32
    private let colour: Colour
    /// The skyline in 1/256 of a pixel from the top, per column.
    private let skyline: SampleRow

    /// Layer 0 is the farthest.
    init(layer: Int, horizon: Int, palette: LandscapePalette, frame: Frame, seed: UInt32) {
        self.layer = Int32(layer)
        colour = palette.haze.mixed(with: palette.rock, Int32(70 + layer * 85))
        skyline = SampleRow(count: frame.width)
        let top = horizon - frame.rows([120, 50, -10][layer])
        let height = frame.rows([150, 110, 60][layer])
        let step = frame.step(cells: 3 + 2 * layer)
        // The nearest range is wooded: its skyline is rough with trees.
        FractalNoise(seed: seed, gain: layer == 2 ? 150 : 122)
            .add(
                to: skyline.values, count: frame.width, step: step, rowStep: step, y: 0, amplitude: Int32(height * 256))
        for x in 0..<frame.width { skyline.values[x] &+= Int32(top * 256) }
    }

    func paint(row y: Int, into row: ColourRow, texture: SampleRow) {
        let line = Int32(y * 256)
        let strength = 50 + layer * 70
        for x in 0..<skyline.count {
            let cover = coverage(line &- skyline.values[x])
            if cover == 0 { continue }
            row.blend(colour, light: (texture.values[x] &* strength) >> 8, at: x, coverage: cover)
        }
    }
}
