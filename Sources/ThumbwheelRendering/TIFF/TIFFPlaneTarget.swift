import ThumbwheelCore

/// Hands the planes of decoded strips or tiles to a consumer. The rows of tiles that lie side by side are joined first.
final class TIFFPlaneTarget {
    private let layout: TIFFPlaneLayout
    private let consumer: any PlaneRowConsumer
    private let neededRows: [Range<Int>]
    private let neededColumns: [Range<Int>]
    // For each plane, the joined rows of the tiles that lie side by side. Empty for strips.
    private let bands: [Band]
    // For each plane, the index of the next row that is handed over.
    private var nextRows: [Int]

    private final class Band {
        let samples: AlignedPlane<PlaneSample>

        init(width: Int, height: Int) {
            samples = AlignedPlane(pitch: width + TIFFPlaneTarget.slack, rowCount: height)
        }
    }

    // Consumers read up to 15 samples behind the last sample of a row (`ChromaGroup.append`).
    private static let slack = 16

    init(_ layout: TIFFPlaneLayout, _ consumer: any PlaneRowConsumer) {
        self.layout = layout
        self.consumer = consumer
        let planes = layout.scales.planes
        neededRows = planes.indices.map { consumer.neededRows(ofPlane: $0).clamped(to: 0..<planes[$0].size.height) }
        neededColumns = planes.indices.map {
            consumer.neededColumns(ofPlane: $0).clamped(to: 0..<planes[$0].size.width)
        }
        nextRows = neededRows.map(\.lowerBound)
        bands =
            layout.hasBand ? layout.blocks.map { Band(width: $0.width * layout.columnCount, height: $0.height) } : []
    }

    /// The rows of strips or tiles that the consumer needs.
    var blockRows: Range<Int> {
        Self.blocks(neededRows, layout.blocks.map(\.height)).clamped(to: 0..<layout.rowCount)
    }

    /// The columns of tiles that the consumer needs.
    var blockColumns: Range<Int> {
        Self.blocks(neededColumns, layout.blocks.map(\.width)).clamped(to: 0..<layout.columnCount)
    }

    private static func blocks(_ needed: [Range<Int>], _ sides: [Int]) -> Range<Int> {
        Range.covering(
            zip(needed, sides).map { needed, side in
                needed.isEmpty ? 0..<0 : needed.lowerBound / side..<(needed.upperBound - 1) / side + 1
            })
    }

    /// The fraction of the picture's height that has been handed over.
    var fedFraction: Double { min(1, Double(nextRows[0]) / Double(max(1, layout.scales.planes[0].size.height))) }

    /// Returns the consumer that a strip or tile hands its rows to.
    func receiver(row: Int, column: Int) -> any PlaneRowConsumer {
        TIFFBlockReceiver(
            needed: layout.blocks.indices.map { plane in
                let block = layout.blocks[plane]
                return (
                    rows: Self.part(neededRows[plane], at: row * block.height, length: block.height),
                    columns: Self.part(neededColumns[plane], at: column * block.width, length: block.width)
                )
            },
            pass: layout.hasBand
                ? { [bands, blocks = layout.blocks] samples, line, plane in
                    let width = blocks[plane].width
                    (bands[plane].samples[line] + column * width).update(from: samples, count: width)
                }
                : { [self] samples, _, plane in
                    consumer.consume(samples, plane: plane)
                    nextRows[plane] += 1
                })
    }

    private static func part(_ needed: Range<Int>, at start: Int, length: Int) -> Range<Int> {
        let part = needed.clamped(to: start..<start + length)
        return part.isEmpty ? 0..<0 : part.lowerBound - start..<part.upperBound - start
    }

    /// Hands over the joined rows of tiles. Does nothing for a strip, whose rows have been handed over already.
    func finishBlocks(ofRow row: Int) {
        guard layout.hasBand else { return }
        feed(row) { plane, line in
            let samples = bands[plane].samples[line]
            // A consumer averages the two samples of luma that a sample of chroma covers. At the picture's right edge,
            // the second of them may lie outside the picture. The last sample takes its place.
            let width = layout.scales.planes[plane].size.width
            samples[width] = samples[width - 1]
            return UnsafePointer(samples)
        }
    }

    /// Hands over neutral grey in place of all rows that are still missing.
    func feedGrey() {
        let grey = AlignedPlane<PlaneSample>(pitch: layout.scales.planes.map(\.size.width).max()! + Self.slack)
        for row in blockRows { feed(row) { _, _ in UnsafePointer(grey.start) } }
    }

    /// Hands over those rows of a row of strips or tiles that have not been handed over yet. The planes take turns, in
    /// proportion to their heights, so that a consumer that needs all planes at once keeps only a few rows of each.
    ///
    /// - Parameter samples: returns the samples of the row `line` of a plane, counted from the upper edge of the strips
    ///   or tiles.
    private func feed(_ row: Int, _ samples: (_ plane: Int, _ line: Int) -> UnsafePointer<PlaneSample>) {
        let heights = layout.blocks.map(\.height)
        let tallest = heights.max()!
        for turn in 0..<tallest {
            for (plane, height) in heights.enumerated() {
                for line in turn * height / tallest..<(turn + 1) * height / tallest {
                    let place = row * height + line
                    guard place >= nextRows[plane], place < neededRows[plane].upperBound else { continue }
                    consumer.consume(samples(plane, line), plane: plane)
                    nextRows[plane] = place + 1
                }
            }
        }
    }
}
