/// Mountains behind each other in haze, a meadow with boulders, a bush in front.
struct Landscape: ScenePainter {
    private let frame: Frame
    private let sky: Sky.Painter
    private let palette: LandscapePalette
    private let ridges: [Ridge]
    private let meadow: Perspective
    private let meadowLine: SampleRow
    private let boulders: [SoftBall]
    private let bush: Bush
    private let rock: FractalNoise
    private let rockRow: SampleRow
    private let meadowRow: SampleRow

    init(random: inout SplitMix, frame: Frame) {
        self.frame = frame
        let palette = LandscapePalette.all[random.next(in: 0...LandscapePalette.all.count - 1)]
        self.palette = palette
        let horizon = frame.rows(random.next(in: 430...560))
        var sky = palette.sky
        sky.sunAcross = random.next(in: 100...900)
        sky.sunDown = random.next(in: 60...260)
        sky.cloudiness = Int32(random.next(in: -700...500))
        self.sky = Sky.Painter(sky, frame: frame, bottom: horizon, seed: random.noiseSeed())
        ridges = (0..<3).map { layer in
            Ridge(layer: layer, horizon: horizon, palette: palette, frame: frame, seed: random.noiseSeed())
        }
        let ground = horizon + frame.rows(70)
        meadow = Perspective(
            frame: frame, vanishing: ground - frame.rows(60), cells: 14, cellsDeep: 20,
            noise: FractalNoise(seed: random.noiseSeed(), gain: 212))
        meadowLine = SampleRow(count: frame.width)
        let swell = FractalNoise(seed: random.noiseSeed(), gain: 110)
        let step = frame.step(cells: 3)
        swell.add(
            to: meadowLine.values, count: frame.width, step: step, rowStep: step, y: 0,
            amplitude: Int32(frame.rows(30) * 256))
        for x in 0..<frame.width { meadowLine.values[x] &+= Int32(ground * 256) }
        boulders = (0..<random.next(in: 2...5)).map { _ in
            let down = random.next(in: 0...300)
            return SoftBall(
                centreX: frame.columns(random.next(in: 50...950)), centreY: ground + frame.rows(60 + down),
                radius: frame.rows(14 + down / 6), colour: palette.boulder, relief: 190, roughness: 200)
        }.sorted { $0.centreY < $1.centreY }
        bush = Bush(random: &random, colour: palette.leaf, frame: frame)
        rock = FractalNoise(seed: random.noiseSeed(), gain: 195)
        rockRow = SampleRow(count: frame.width)
        meadowRow = SampleRow(count: frame.width)
    }

    func paint(row y: Int, into row: ColourRow) {
        sky.paint(row: y, into: row)
        rockRow.clear()
        let step = frame.step(cells: 10)
        rock.add(to: rockRow.values, count: frame.width, step: step, rowStep: step, y: y * step * 2, amplitude: 900)
        for ridge in ridges { ridge.paint(row: y, into: row, texture: rockRow) }
        paintMeadow(row: y, into: row)
        for boulder in boulders {
            boulder.paintShadow(row: y, into: row, width: frame.width)
            boulder.paint(row: y, into: row, width: frame.width, texture: rockRow.values)
        }
        bush.paint(row: y, into: row)
    }

    private func paintMeadow(row y: Int, into row: ColourRow) {
        guard y >= meadow.vanishing else { return }
        meadowRow.clear()
        let near = meadow.nearness(ofRow: y)
        meadow.add(to: meadowRow, y: y, amplitude: 500 + near)
        let colour = palette.meadowFar.mixed(with: palette.meadowNear, near)
        let line = Int32(y * 256)
        for x in 0..<frame.width {
            let cover = coverage(line &- meadowLine.values[x])
            if cover > 0 { row.blend(colour, light: meadowRow.values[x], at: x, coverage: cover) }
        }
    }
}
