import ThumbwheelCore

/// Takes what lies over each other in a JPEG's planes, row by row, at the image's own scale.
protocol SampleRowConsumer: AnyObject {
    /// The rows it wants to see, all of them, in order.
    var neededRows: Range<Int> { get }
    /// The columns that it looks at in those rows.
    var neededColumns: Range<Int> { get }
    /// Takes the next row: the planes' samples from column 0; the first plane's thrice where there is only one.
    func consume(_ first: UnsafePointer<UInt8>, _ second: UnsafePointer<UInt8>, _ third: UnsafePointer<UInt8>)
}

/// Brings a JPEG's planes to the image's own scale: subsampled ones are interpolated linearly between their samples'
/// centres, as libjpeg's "fancy upsampling" does.
final class PixelAssembler: PlaneRowConsumer {
    /// One plane's rows that are still of use.
    private struct Ring {
        var samples: [UInt8]
        let width: Int
        let height: Int
        /// Rows taken.
        var count: Int
        /// Whether its samples lie over the pixels one by one.
        let isAligned: Bool
        /// Whether there is one sample for every two pixels of a row.
        let isHalved: Bool
        let verticalStep: Double
        let columns: [Interpolation]
    }

    /// Between two neighbouring samples: the first, and how much of the next, in 256ths.
    private struct Interpolation {
        var index: Int32
        var weight: Int32

        /// For a pixel's centre in a plane whose samples are `step` pixels for a sample.
        init(pixel: Int, step: Double, count: Int) {
            let place = max(0, (Double(pixel) + 0.5) * step - 0.5)
            let lower = min(Int(place), count - 1)
            index = Int32(lower)
            weight = lower == count - 1 ? 0 : Int32(((place - Double(lower)) * 256).rounded())
        }
    }

    private let rows: Range<Int>
    private let columns: Range<Int>
    private let consumer: any SampleRowConsumer
    private var rings: [Ring]
    private var nextRow: Int
    // One for each plane.
    private var lines: [UnsafeMutablePointer<UInt8>]
    // A row of samples times 16 behind the vertical half of an interpolation, from 8 on, with neighbours at both ends.
    private let mixed: UnsafeMutablePointer<UInt16>

    init(_ scales: JPEGScales, size: PixelSize, consumer: any SampleRowConsumer) {
        rows = consumer.neededRows
        columns = consumer.neededColumns
        self.consumer = consumer
        nextRow = rows.lowerBound
        let pixelRatio = Double(scales.eighths) / 8
        rings = scales.planes.map { plane in
            let horizontal = plane.horizontalRatio / pixelRatio
            let width = plane.size.width
            return Ring(
                samples: Array(repeating: 128, count: (width + 1) * Self.capacity), width: width + 1,
                height: plane.size.height, count: 0, isAligned: horizontal == 1, isHalved: horizontal == 0.5,
                verticalStep: plane.verticalRatio / pixelRatio,
                columns: horizontal == 1
                    ? [] : (0..<size.width).map { Interpolation(pixel: $0, step: horizontal, count: width) })
        }
        lines = scales.planes.map { _ in
            // Vector loops run over the end.
            let line = UnsafeMutablePointer<UInt8>.allocate(capacity: size.width + 64)
            line.initialize(repeating: 128, count: size.width + 64)
            return line
        }
        mixed = .allocate(capacity: size.width + 64)
        mixed.initialize(repeating: 0, count: size.width + 64)
        for index in rings.indices { rings[index].count = neededRows(ofPlane: index).lowerBound }
    }

    deinit {
        for line in lines { line.deallocate() }
        mixed.deallocate()
    }

    /// Rows that are kept of a plane: those of two rows of units, at the most 32 each, and neighbours.
    private static let capacity = 68

    func neededRows(ofPlane plane: Int) -> Range<Int> {
        guard !rows.isEmpty else { return 0..<0 }
        let first = rowPair(of: rows.lowerBound, rings[plane])
        let last = rowPair(of: rows.upperBound - 1, rings[plane])
        return Int(first.index)..<Int(last.index) + (last.weight > 0 ? 2 : 1)
    }

    func neededColumns(ofPlane plane: Int) -> Range<Int> {
        let ring = rings[plane]
        guard !ring.isAligned, !columns.isEmpty else { return columns }
        return Int(ring.columns[columns.lowerBound].index)..<Int(ring.columns[columns.upperBound - 1].index) + 2
    }

    private func rowPair(of row: Int, _ ring: Ring) -> Interpolation {
        Interpolation(pixel: row, step: ring.verticalStep, count: ring.height)
    }

    func consume(_ row: UnsafePointer<UInt8>, plane: Int) {
        let width = rings[plane].width
        let start = rings[plane].count % Self.capacity * width
        rings[plane].samples.withUnsafeMutableBufferPointer { samples in
            let target = samples.baseAddress! + start
            target.update(from: row, count: width - 1)
            // The sample behind the last is asked for with weight 0.
            target[width - 1] = row[width - 2]
        }
        rings[plane].count += 1
        while nextRow < rows.upperBound, rings.allSatisfy({ isReady($0) }) { assemble() }
    }

    private func isReady(_ ring: Ring) -> Bool {
        let pair = rowPair(of: nextRow, ring)
        return Int(pair.index) + (pair.weight > 0 ? 2 : 1) <= ring.count
    }

    private func assemble() {
        for index in rings.indices { interpolate(rings[index], rowPair(of: nextRow, rings[index]), into: lines[index]) }
        consumer.consume(lines[0], lines[lines.count > 1 ? 1 : 0], lines[lines.count > 1 ? 2 : 0])
        nextRow += 1
    }

    private func interpolate(_ ring: Ring, _ pair: Interpolation, into line: UnsafeMutablePointer<UInt8>) {
        ring.samples.withUnsafeBufferPointer { samples in
            let upper = samples.baseAddress! + Int(pair.index) % Self.capacity * ring.width
            let next = Int(pair.index) + (pair.weight > 0 ? 1 : 0)
            let lower = samples.baseAddress! + next % Self.capacity * ring.width
            let below = pair.weight
            let above = 256 &- below
            if ring.isAligned {
                if below == 0 {
                    (line + columns.lowerBound).update(from: upper + columns.lowerBound, count: columns.count)
                    return
                }
                for x in columns {
                    let sum = Int32(upper[x]) &* above &+ Int32(lower[x]) &* below
                    line[x] = UInt8(truncatingIfNeeded: (sum &+ 128) &>> 8)
                }
                return
            }
            if ring.isHalved {
                mix(upper, lower, below: UInt16(below), count: ring.width - 1)
                double(into: line)
                return
            }
            ring.columns.withUnsafeBufferPointer { places in
                for x in columns {
                    let place = places[x]
                    let index = Int(place.index)
                    let left = Int32(upper[index]) &* above &+ Int32(lower[index]) &* below
                    let right = Int32(upper[index &+ 1]) &* above &+ Int32(lower[index &+ 1]) &* below
                    let sum = left &* (256 &- place.weight) &+ right &* place.weight
                    line[x] = UInt8(truncatingIfNeeded: (sum &+ 32768) &>> 16)
                }
            }
        }
    }

    /// Weighs two rows of samples, `below` 256ths of the lower one, for `double`.
    private func mix(_ upper: UnsafePointer<UInt8>, _ lower: UnsafePointer<UInt8>, below: UInt16, count: Int) {
        let above = 256 - below
        for x in 0..<count { mixed[8 &+ x] = (UInt16(upper[x]) &* above &+ UInt16(lower[x]) &* below) &>> 4 }
        mixed[7] = mixed[8]
        mixed[8 + count] = mixed[7 + count]
    }

    /// Makes two pixels of every sample, each three parts of it and one of its neighbour.
    private func double(into line: UnsafeMutablePointer<UInt8>) {
        var x = columns.lowerBound / 16 * 16
        while x < columns.upperBound {
            let source = UnsafeRawPointer(mixed + (8 &+ x / 2))
            let own = source.loadUnaligned(as: SIMD8<UInt16>.self) &* 3 &+ 32
            let before = source.loadUnaligned(fromByteOffset: -2, as: SIMD8<UInt16>.self)
            let after = source.loadUnaligned(fromByteOffset: 2, as: SIMD8<UInt16>.self)
            let pairs = (own &+ before) &>> 6 | ((own &+ after) &>> 6) &<< 8
            UnsafeMutableRawPointer(line + x).storeBytes(of: pairs, as: SIMD8<UInt16>.self)
            x &+= 16
        }
    }
}
