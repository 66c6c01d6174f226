/// Leaves in a lower corner: hard little edges all over, the most expensive thing there is for a JPEG.
struct Bush {
    private let frame: Frame
    private let colour: Colour
    private let centreX: Int
    private let shape: FractalNoise
    private let leaves: FractalNoise
    private let shapeRow: SampleRow
    private let leafRow: SampleRow

    init(random: inout SplitMix, colour: Colour, frame: Frame) {
        self.frame = frame
        self.colour = colour
        centreX = frame.columns(random.next(in: 0...1) * 1000)
        shape = FractalNoise(seed: random.noiseSeed(), gain: 165)
        leaves = FractalNoise(seed: random.noiseSeed(), gain: 200)
        shapeRow = SampleRow(count: frame.width)
        leafRow = SampleRow(count: frame.width)
    }

    func paint(row y: Int, into row: ColourRow) {
        let dy = frame.height - y
        let reach = frame.rows(430)
        guard dy < reach * 3 / 2 else { return }
        shapeRow.clear()
        leafRow.clear()
        let step = frame.step(cells: 9)
        shape.add(to: shapeRow.values, count: frame.width, step: step, rowStep: step, y: y * step, amplitude: 1500)
        let fine = frame.step(cells: 40)
        leaves.add(to: leafRow.values, count: frame.width, step: fine, rowStep: fine, y: y * fine, amplitude: 900)
        for x in 0..<frame.width {
            let dx = x &- centreX
            let away = (dx &* dx &+ dy &* dy) &* 4096 / (reach &* reach)
            let depth = 1500 &- Int32(truncatingIfNeeded: min(away, 8192)) &+ shapeRow.values[x]
            let cover = coverage(depth)
            if cover > 0 { row.blend(colour, light: leafRow.values[x], at: x, coverage: cover) }
        }
    }
}
