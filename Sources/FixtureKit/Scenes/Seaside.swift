/// A low sun over water: glitter on waves, rocks against the light, wet sand in front.
struct Seaside: ScenePainter {
    private let frame: Frame
    private let sky: Sky.Painter
    private let horizon: Int
    private let sunX: Int
    private let waves: Perspective
    private let sand: FractalNoise
    private let shore: SampleRow
    private let rocks: [SoftBall]
    private let wave: SampleRow
    private let grain: SampleRow
    private let water: (far: Colour, near: Colour)

    init(random: inout SplitMix, frame: Frame) {
        self.frame = frame
        horizon = frame.rows(random.next(in: 380...520))
        let across = random.next(in: 250...750)
        sunX = frame.columns(across)
        let isEvening = random.next(in: 0...1) == 1
        var sky = isEvening ? Self.evening : Self.morning
        sky.sunAcross = across
        sky.sunDown = horizon * 1000 / max(1, frame.height) - random.next(in: 60...160)
        sky.cloudiness = Int32(random.next(in: -500...300))
        self.sky = Sky.Painter(sky, frame: frame, bottom: horizon, seed: random.noiseSeed())
        water = isEvening ? (Colour(0xC98A6A), Colour(0x2C3A52)) : (Colour(0x9CC4D4), Colour(0x1F5A6E))
        waves = Perspective(
            frame: frame, vanishing: horizon - 1, cells: 7, cellsDeep: 26,
            noise: FractalNoise(seed: random.noiseSeed(), gain: 205))
        sand = FractalNoise(seed: random.noiseSeed(), gain: 235)
        shore = SampleRow(count: frame.width)
        let step = frame.step(cells: 2)
        FractalNoise(seed: random.noiseSeed(), gain: 100)
            .add(
                to: shore.values, count: frame.width, step: step, rowStep: step, y: 0,
                amplitude: Int32(frame.rows(110) * 256))
        for x in 0..<frame.width { shore.values[x] &+= Int32(frame.rows(840) * 256) }
        let horizonRow = horizon
        rocks = (0..<random.next(in: 3...7)).map { index in
            SoftBall(
                centreX: frame.columns(random.next(in: 20...980)), centreY: horizonRow + frame.rows(20 + index * 25),
                radius: frame.rows(random.next(in: 18...60)), colour: Colour(isEvening ? 0x2A2226 : 0x4C4A48),
                relief: 120, roughness: 256)
        }
        wave = SampleRow(count: frame.width)
        grain = SampleRow(count: frame.width)
    }

    func paint(row y: Int, into row: ColourRow) {
        sky.paint(row: y, into: row)
        grain.clear()
        let step = frame.step(cells: 30)
        sand.add(to: grain.values, count: frame.width, step: step, rowStep: step, y: y * step, amplitude: 300)
        // Rocks stand in the water: what is below their waterline is covered by it.
        for rock in rocks where y < rock.centreY + rock.radius / 4 {
            rock.paint(row: y, into: row, width: frame.width, texture: grain.values)
        }
        guard y >= horizon else { return }
        paintWater(row: y, into: row)
        for rock in rocks where y < rock.centreY + rock.radius / 4 {
            rock.paint(row: y, into: row, width: frame.width, texture: grain.values)
        }
        paintSand(row: y, into: row)
    }

    private func paintWater(row y: Int, into row: ColourRow) {
        wave.clear()
        let near = waves.nearness(ofRow: y)
        waves.add(to: wave, y: y, amplitude: 900)
        let colour = water.far.mixed(with: water.near, near)
        let glint = Colour(0xFFF3CF)
        let spread = max(1, frame.columns(60) + (y - horizon) / 3)
        for x in 0..<frame.width {
            row.blend(colour, light: wave.values[x], at: x, coverage: 256)
            // Facets that face the sun glitter, most of them right below it.
            let off = Int32(truncatingIfNeeded: min(4096, abs(x &- sunX) &* 900 / spread))
            let facing = wave.values[x] &- off &+ 500
            if facing > 0 { row.blend(glint, at: x, coverage: coverage(facing >> 2)) }
        }
    }

    private func paintSand(row y: Int, into row: ColourRow) {
        let line = Int32(y * 256)
        let fringe = Int32(frame.rows(14) * 256 + 256)
        let foam = Colour(0xEDEFEA)
        let sandColour = Colour(0xB09A78)
        for x in 0..<frame.width {
            let depth = line &- shore.values[x]
            let foamCover = coverage((depth &+ fringe) >> 2)
            if foamCover == 0 { continue }
            row.blend(foam, light: grain.values[x], at: x, coverage: foamCover)
            row.blend(sandColour, light: grain.values[x], at: x, coverage: coverage(depth >> 3))
        }
    }

    private static let evening = Sky(
        zenith: Colour(0x34406E), horizon: Colour(0xF7B26A), cloud: Colour(0xD98F86), sun: Colour(0xFFF4D0))
    private static let morning = Sky(
        zenith: Colour(0x4A86BE), horizon: Colour(0xE4ECEC), cloud: Colour(0xF4F4F2), sun: Colour(0xFFFCEE))
}
