/// A photograph that never was: what stands before the camera and the camera's noise, from a seed and nothing else.
///
/// All of it is integer arithmetic, so the same seed and size give the same bytes on every machine. The composition is
/// the same at every size of the same shape; larger pictures show finer detail, as photographs do.
package struct Scene: Sendable, Hashable {
    /// What is shown.
    package enum Subject: Int, Sendable, CaseIterable {
        case landscape
        case seaside
        case stillLife
    }

    package var seed: UInt64
    package var subject: Subject
    /// The sensor's noise: its standard deviation in mid-grey, in hundredths of an 8-bit step.
    package var noise: Int

    /// The subject follows from the seed where none is named.
    package init(seed: UInt64, subject: Subject? = nil, noise: Int = 220) {
        self.seed = seed
        self.subject = subject ?? Subject.allCases[Int(seed % UInt64(Subject.allCases.count))]
        self.noise = noise
    }

    /// The picture as rows of red, green, blue, one byte each. Time is linear in the number of pixels.
    package func rgb(width: Int, height: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: width * height * 3) { bytes, count in
            var next = 0
            forEachRow(width: width, height: height) { row in
                for x in 0..<width {
                    bytes[next] = UInt8(truncatingIfNeeded: row.red[x] >> 4)
                    bytes[next &+ 1] = UInt8(truncatingIfNeeded: row.green[x] >> 4)
                    bytes[next &+ 2] = UInt8(truncatingIfNeeded: row.blue[x] >> 4)
                    next = next &+ 3
                }
            }
            count = next
        }
    }

    /// The picture in 16 bits a channel, of which 12 are meant.
    package func rgb16(width: Int, height: Int) -> [UInt16] {
        var values: [UInt16] = []
        values.reserveCapacity(width * height * 3)
        forEachRow(width: width, height: height) { row in
            for x in 0..<width {
                for sample in [row.red[x], row.green[x], row.blue[x]] {
                    values.append(UInt16(sample << 4 | sample >> 8))
                }
            }
        }
        return values
    }

    /// Hands over the rows from the top, in 12 bits, clamped.
    private func forEachRow(width: Int, height: Int, _ body: (ColourRow) -> Void) {
        precondition(width > 0 && height > 0, "a scene needs at least one pixel")
        let painter = painter(for: Frame(width: width, height: height))
        let rows = (0..<3).map { _ in SampleRow(count: width) }
        let row = ColourRow(red: rows[0].values, green: rows[1].values, blue: rows[2].values)
        let sensor = SensorNoise(seed: seed, hundredths: noise)
        for y in 0..<height {
            painter.paint(row: y, into: row)
            sensor.expose(row, y: y, width: width)
            body(row)
        }
        withExtendedLifetime(rows) {}
    }

    private func painter(for frame: Frame) -> any ScenePainter {
        var random = SplitMix(seed: seed)
        return switch subject {
        case .landscape: Landscape(random: &random, frame: frame)
        case .seaside: Seaside(random: &random, frame: frame)
        case .stillLife: StillLife(random: &random, frame: frame)
        }
    }
}
