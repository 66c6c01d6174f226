/// Fruit on a wooden table before lamps out of focus: a sharp subject, a background without detail.
struct StillLife: ScenePainter {
    private let frame: Frame
    private let edge: Int
    private let wall: FractalNoise
    private let wood: FractalNoise
    private let peel: FractalNoise
    private let lamps: [SoftBall]
    private let fruit: [SoftBall]
    private let wallColour: Colour
    private let woodColour: Colour
    private let wallRow: SampleRow
    private let woodRow: SampleRow
    private let peelRow: SampleRow

    init(random: inout SplitMix, frame: Frame) {
        self.frame = frame
        let edge = frame.rows(random.next(in: 560...660))
        self.edge = edge
        wall = FractalNoise(seed: random.noiseSeed(), octaves: 3)
        wood = FractalNoise(seed: random.noiseSeed(), gain: 215)
        peel = FractalNoise(seed: random.noiseSeed(), gain: 225)
        wallColour = [Colour(0x3A2E2A), Colour(0x24343C), Colour(0x40392C)][random.next(in: 0...2)]
        woodColour = [Colour(0x9A6E44), Colour(0x6E4E36), Colour(0xB59A78)][random.next(in: 0...2)]
        let lights = [Colour(0xF2C879), Colour(0xE88C5A), Colour(0xBFD8E8), Colour(0xD9617A)]
        lamps = (0..<random.next(in: 8...16)).map { _ in
            SoftBall(
                centreX: frame.columns(random.next(in: 0...1000)), centreY: frame.rows(random.next(in: 0...600)),
                radius: frame.rows(random.next(in: 25...80)), colour: lights[random.next(in: 0...3)],
                softness: frame.rows(12), opacity: Int32(random.next(in: 60...150)), relief: 0)
        }
        let skins = [0xC23A2A, 0xE08A1E, 0x8FA83A, 0xD9B83A, 0x6A2A4A].map(Colour.init)
        fruit = (0..<random.next(in: 3...6)).map { index in
            let radius = frame.rows(random.next(in: 80...150))
            return SoftBall(
                centreX: frame.columns(random.next(in: 100...900)), centreY: edge + frame.rows(index * 40) - radius / 2,
                radius: radius, colour: skins[random.next(in: 0...4)])
        }
        wallRow = SampleRow(count: frame.width)
        woodRow = SampleRow(count: frame.width)
        peelRow = SampleRow(count: frame.width)
    }

    func paint(row y: Int, into row: ColourRow) {
        peelRow.clear()
        let fine = frame.step(cells: 24)
        peel.add(to: peelRow.values, count: frame.width, step: fine, rowStep: fine, y: y * fine, amplitude: 170)
        paintWall(row: y, into: row)
        paintTable(row: y, into: row)
        for piece in fruit {
            piece.paintShadow(row: y, into: row, width: frame.width)
            piece.paint(row: y, into: row, width: frame.width, texture: peelRow.values)
        }
    }

    private func paintWall(row y: Int, into row: ColourRow) {
        wallRow.clear()
        let step = frame.step(cells: 4)
        wall.add(to: wallRow.values, count: frame.width, step: step, rowStep: step, y: y * step, amplitude: 420)
        for x in 0..<frame.width { row.blend(wallColour, light: wallRow.values[x], at: x, coverage: 256) }
        for lamp in lamps { lamp.paint(row: y, into: row, width: frame.width, texture: wallRow.values) }
    }

    private func paintTable(row y: Int, into row: ColourRow) {
        // The table's far edge is a little out of focus.
        let cover = coverage(Int32((y - edge) * 256 / max(1, frame.rows(6))))
        guard cover > 0 else { return }
        woodRow.clear()
        let across = frame.step(cells: 3)
        let grain = frame.step(cells: 60)
        wood.add(to: woodRow.values, count: frame.width, step: across, rowStep: grain, y: y * grain, amplitude: 500)
        // Between the fibres' noise there are the boards' own pores.
        for x in 0..<frame.width {
            let light = woodRow.values[x] &+ peelRow.values[x] >> 1
            row.blend(woodColour, light: light, at: x, coverage: cover)
        }
    }
}
