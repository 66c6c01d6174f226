import ThumbwheelCore
import ThumbwheelFormats

/// A JPEG's picture reduced to a few pixels, computed from its DC coefficients. A DC coefficient is the mean of a
/// block, times a constant. The entropy decoder reads all DC coefficients, even if only a part of the image is
/// rendered. So the reduced picture shows the whole image in any case.
final class BlockMeans {
    /// The reduced picture's longer side has at least this many pixels. With 16 pixels, one period of the highest
    /// frequency in a `ThumbHash` has more than five pixels. Averaging over blocks then weakens this frequency by only
    /// one seventeenth.
    private static let minimumSide = 16.0

    /// The size of the reduced picture in pixels, in stored orientation.
    let size: PixelSize
    private let frame: JPEGFrame
    private let isRGB: Bool
    /// For each column of minimum coded units, the column of the reduced picture in which it lies.
    private let columns: [Int]
    /// For each row of minimum coded units, the row of the reduced picture in which it lies.
    private let rows: [Int]
    /// For each column of the reduced picture, the end of its range of minimum coded units: the index, within a row of
    /// units, of the first unit that lies in a later column of the reduced picture.
    private let ends: [Int]
    /// Only every `rowStep`th row of minimum coded units is used. Two rows of units are enough for each row of the
    /// reduced picture.
    private let rowStep: Int
    /// For each component, one sum for each pixel of the reduced picture. It adds up the DC coefficients of the blocks
    /// that lie in the pixel, as far as the blocks are used (see `rowStep` and `wholeUnits`).
    private var sums: [[Int32]]
    /// The numbers of columns and rows of minimum coded units whose means are used. The last column and the last row
    /// are left out if they lie partly outside the image, because encoders may put anything there. In an image of less
    /// than four whole columns or rows, none is left out (see `countOfWhole`).
    private let wholeUnits: PixelSize
    /// The quantization step of the DC coefficients of each component.
    private var steps: [Int32] = []
    private var rowCount = 0

    /// - Returns: nil for an image that has too few minimum coded units for a reduced picture.
    init?(_ header: JPEGDecodeHeader) {
        frame = header.frame
        isRGB = header.isRGB
        let unit = PixelSize(width: 8 * frame.maximumHorizontal, height: 8 * frame.maximumVertical)
        let longer = Double(max(frame.size.width, frame.size.height))
        // A pixel of the reduced picture is at least as wide and as high as a minimum coded unit. So the centre of at
        // least one unit lies in each pixel.
        let scale = min(Double(ResamplingPlan.hashSide) / longer, 1 / Double(max(unit.width, unit.height)))
        guard longer * scale >= Self.minimumSide else { return nil }
        func side(_ count: Int) -> Int { max(1, Int(Double(count) * scale)) }
        let size = PixelSize(width: side(frame.size.width), height: side(frame.size.height))
        func places(_ count: Int, _ pixels: Int, below end: Int) -> [Int] {
            (0..<count).map { min(end - 1, Int((Double($0) + 0.5) * Double(pixels) * scale)) }
        }
        self.size = size
        wholeUnits = PixelSize(
            width: Self.countOfWhole(frame.size.width, unit.width, of: frame.units.width),
            height: Self.countOfWhole(frame.size.height, unit.height, of: frame.units.height))
        columns = places(frame.units.width, unit.width, below: size.width)
        rows = places(frame.units.height, unit.height, below: size.height)
        let columns = columns
        ends = (1...size.width).map { end in columns.firstIndex { $0 >= end } ?? columns.count }
        rowStep = max(1, frame.units.height / size.height / 2)
        sums = frame.components.map { _ in Array(repeating: 0, count: size.pixelCount) }
    }

    /// Returns how many minimum coded units along one side of the image are used. The last unit is left out if it lies
    /// partly outside the image, because its padding may contain anything. But if there are fewer than four whole
    /// units, all are used: leaving one out would distort the picture more than the padding does.
    ///
    /// - Parameters:
    ///   - side: the length of the side in pixels.
    ///   - unit: the length of a unit in pixels.
    ///   - count: the number of units along the side, including an incomplete one.
    private static func countOfWhole(_ side: Int, _ unit: Int, of count: Int) -> Int {
        side / unit < 4 ? count : side / unit
    }

    /// Whether all minimum coded units of the image have been added, so that the means cover the whole picture.
    var isComplete: Bool { rowCount == frame.units.height }

    /// - Parameter quantization: the quantization table of each component, with 64 steps in zigzag order.
    func begin(quantization: [[UInt16]?]) { steps = quantization.map { Int32($0?[0] ?? 0) } }

    /// Adds consecutive minimum coded units, which the entropy decoder hands over as `run`.
    ///
    /// - Parameter first: the index in the image of the unit at `run.start`.
    func take(_ run: InterleavedBlocks, from first: Int) {
        var index = run.start
        while index < run.count {
            let (row, column) = (first + index - run.start).quotientAndRemainder(dividingBy: columns.count)
            guard row < rows.count else { return }
            let count = min(run.count - index, columns.count - column)
            if counts(row) {
                for (number, part) in run.components.enumerated() {
                    add(
                        run.unit(index) + part.offset, step: run.unitSampleCount, blockStep: part.blockSampleCount,
                        blockCount: part.horizontal * part.vertical, of: number, row, column..<column + count)
                }
            }
            index += count
            if column + count == columns.count { rowCount = row + 1 }
        }
    }

    /// Adds a row of minimum coded units, given by the DC coefficients of all components.
    func take(_ run: CoefficientPlanes, row: Int) {
        if counts(row) {
            for (number, component) in frame.components.enumerated() {
                for line in 0..<component.vertical {
                    add(
                        run.row(line, of: number), step: component.horizontal, blockStep: 1,
                        blockCount: component.horizontal, of: number, row, 0..<columns.count)
                }
            }
        }
        rowCount = row + 1
    }

    private func counts(_ row: Int) -> Bool { row % rowStep == 0 && row < wholeUnits.height }

    private func add(
        _ coefficients: UnsafePointer<Int16>, step: Int, blockStep: Int, blockCount: Int, of component: Int, _ row: Int,
        _ units: Range<Int>
    ) {
        let start = rows[row] * size.width
        let units = units.clamped(to: 0..<wholeUnits.width)
        guard !units.isEmpty else { return }
        ends.withUnsafeBufferPointer { ends in
            sums[component].withUnsafeMutableBufferPointer { sums in
                var blocks = coefficients
                var (unit, place) = (units.lowerBound, columns[units.lowerBound])
                while unit < units.upperBound {
                    let count = min(ends[place], units.upperBound) &- unit
                    var sum: Int32 = 0
                    // Each usual number of blocks in a unit (1 or 2) has code of its own, without an inner loop over
                    // the blocks. The inner loop would take longer than the few additions.
                    switch blockCount {
                    case 1: for unit in 0..<count { sum &+= Int32(blocks[unit &* step]) }
                    case 2:
                        for unit in 0..<count {
                            sum &+= Int32(blocks[unit &* step]) &+ Int32(blocks[unit &* step &+ blockStep])
                        }
                    default:
                        for unit in 0..<count {
                            for block in 0..<blockCount { sum &+= Int32(blocks[unit &* step &+ block &* blockStep]) }
                        }
                    }
                    sums[start &+ place] &+= sum
                    blocks += count &* step
                    unit &+= count
                    place &+= 1
                }
            }
        }
    }

    /// The reduced picture, turned upright.
    func bitmap(orientation: ImageOrientation) -> Bitmap {
        let acrossCounts = Self.counts(columns.prefix(wholeUnits.width), size.width)
        let downCounts = Self.counts(
            stride(from: 0, to: wholeUnits.height, by: rowStep).map { rows[$0] }, size.height)
        let (across, down) = (acrossCounts.map { 1 / Float(max(1, $0)) }, downCounts.map { 1 / Float(max(1, $0)) })
        // The last column or row of pixels may contain no minimum coded unit that is used, because incomplete units are
        // left out. Such a pixel takes the value of its neighbour.
        let (lastColumn, lastRow) = (
            acrossCounts.lastIndex { $0 > 0 } ?? 0, downCounts.lastIndex { $0 > 0 } ?? 0
        )
        // A DC coefficient is eight times the mean of its block (T.81, A.3.3).
        let scales = frame.components.indices.map { index in
            Float(steps[index]) / Float(8 * frame.components[index].horizontal * frame.components[index].vertical)
        }
        let (size, isRGB) = (size, isRGB)
        let (second, third) = sums.count == 3 ? (1, 2) : (0, 0)
        return Bitmap(size: orientation.displaySize(of: size), format: .rgb) { pixels in
            let store = OrientedStore(pixels, storedSize: size, format: .rgb, orientation: orientation)
            withUnsafeTemporaryAllocation(of: UInt8.self, capacity: size.width * 3) { line in
                for y in 0..<size.height {
                    let row = min(y, lastRow)
                    for x in 0..<size.width {
                        let column = min(x, lastColumn)
                        let place = row * size.width + column
                        let share = across[column] * down[row]
                        let means =
                            SIMD3(
                                Float(sums[0][place]) * scales[0], Float(sums[second][place]) * scales[second],
                                Float(sums[third][place]) * scales[third]) * share
                        let color = second == 0 || isRGB ? means : Self.rgb(means)
                        line[x * 3] = Self.level(color.x)
                        line[x * 3 + 1] = Self.level(color.y)
                        line[x * 3 + 2] = Self.level(color.z)
                    }
                    store.put(row: line.baseAddress!, at: y)
                }
            }
        }
    }

    private static func level(_ sample: Float) -> UInt8 { UInt8(max(0, min(255, sample + 128.5))) }

    /// Converts luma and chroma, both centred on 0, to RGB (JFIF 1.02), as `PixelConverter` does.
    private static func rgb(_ means: SIMD3<Float>) -> SIMD3<Float> {
        SIMD3(
            means.x + 1.402 * means.z, means.x - 0.344136 * means.y - 0.714136 * means.z, means.x + 1.772 * means.y)
    }

    /// Counts how many columns of minimum coded units lie in each column of the reduced picture. Rows are counted in
    /// the same way.
    ///
    /// - Parameters:
    ///   - places: for each column or row of units, the column or row of the reduced picture in which it lies.
    ///   - count: the number of columns or rows of the reduced picture.
    private static func counts(_ places: some Sequence<Int>, _ count: Int) -> [Int] {
        var counts = Array(repeating: 0, count: count)
        for place in places { counts[place] += 1 }
        return counts
    }
}
