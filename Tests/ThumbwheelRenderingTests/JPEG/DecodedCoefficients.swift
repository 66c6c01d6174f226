import ThumbwheelCore

@testable import ThumbwheelRendering

/// A JPEG's coefficients as this library's entropy decoders find them at a scale.
struct DecodedCoefficients {
    /// Of one component: for each block, row by row, the top-left scale × scale coefficients in natural order.
    struct Plane {
        let scale: Int
        let columns: Int
        let rows: Int
        var values: [Int16]

        func block(column: Int, row: Int) -> ArraySlice<Int16> {
            let start = (row * columns + column) * scale * scale
            return values[start..<start + scale * scale]
        }
    }

    private(set) var planes: [Plane]

    /// - Parameter mergesScans: has a single scan read by the code for several.
    /// - Returns: nil where the decoder does not cover the file.
    init?(_ bytes: [UInt8], eighths: Int, mergesScans: Bool = false) throws {
        let guardian = DecodeGuard(cancellation: nil, duration: .seconds(3600))
        guard let decode = try JPEGDecode(MemoryByteSource(bytes), eighths: eighths, guardian: guardian) else {
            return nil
        }
        let frame = decode.header.frame
        planes = zip(frame.components, decode.scales.planes).map { component, plane in
            let blocks = component.blocks
            return Plane(
                scale: plane.scale, columns: blocks.width, rows: blocks.height,
                values: Array(repeating: 0, count: blocks.pixelCount * plane.scale * plane.scale))
        }
        if decode.header.isSingleScan, !mergesScans { try readSingleScan(decode) } else { try readScans(decode) }
    }

    private mutating func readScans(_ decode: JPEGDecode) throws {
        let frame = decode.header.frame
        let list = try JPEGScanList(
            decode.input, header: decode.header, scales: decode.scales, guardian: decode.guardian)
        let row = CoefficientRow(frame, scales: decode.scales)
        let scans = try list.entries.map { try MultiScanReader($0, of: frame, input: decode.input, row: row) }
        for index in 0..<frame.units.height {
            row.clear()
            for scan in scans { try scan.readRow(0..<frame.units.width) }
            for unit in 0..<frame.units.width { take(row.run, unit, frame, row: index, column: unit) }
        }
    }

    private mutating func readSingleScan(_ decode: JPEGDecode) throws {
        let frame = decode.header.frame
        let scan = try decode.openSingleScan()
        var predictions = [Int16](repeating: 0, count: decode.header.scan.components.count)
        var place = 0
        while place < frame.units.pixelCount, scan.damage == nil {
            let run = try scan.next(frame.units.pixelCount - place, keepsCoefficients: true)
            run.accumulate(&predictions)
            for unit in run.start..<run.count where place < frame.units.pixelCount {
                take(run, unit, frame, row: place / frame.units.width, column: place % frame.units.width)
                place += 1
            }
        }
    }

    private mutating func take(_ run: InterleavedBlocks, _ unit: Int, _ frame: JPEGFrame, row: Int, column: Int) {
        for (index, component) in frame.components.enumerated() {
            let count = planes[index].scale * planes[index].scale
            var block = run.unit(unit) + run.components[index].offset
            for line in 0..<component.vertical {
                for part in 0..<component.horizontal {
                    defer { block += count }
                    let (x, y) = (column * component.horizontal + part, row * component.vertical + line)
                    guard x < planes[index].columns, y < planes[index].rows else { continue }
                    let start = (y * planes[index].columns + x) * count
                    for place in 0..<count { planes[index].values[start + place] = block[place] }
                }
            }
        }
    }

    private mutating func take(_ run: CoefficientPlanes, _ unit: Int, _ frame: JPEGFrame, row: Int, column: Int) {
        for (index, component) in frame.components.enumerated() {
            let count = planes[index].scale * planes[index].scale
            for line in 0..<component.vertical {
                for part in 0..<component.horizontal {
                    let (x, y) = (column * component.horizontal + part, row * component.vertical + line)
                    guard x < planes[index].columns, y < planes[index].rows else { continue }
                    let source = run.row(line, of: index) + unit * component.horizontal + part
                    for place in 0..<count {
                        planes[index].values[(y * planes[index].columns + x) * count + place] =
                            source[place * run.stride(index)]
                    }
                }
            }
        }
    }
}

/// A JPEG's planes as this library decodes them.
final class DecodedPlanes {
    let sizes: [PixelSize]
    /// Row by row; 0 for middle grey.
    let samples: [[PlaneSample]]
    let end: JPEGDecode.End

    init(_ decode: JPEGDecode) {
        let collector = Collector(sizes: decode.scales.planes.map(\.size))
        end = decode.forEachRow(to: collector)
        sizes = collector.sizes
        samples = collector.samples
    }

    private final class Collector: PlaneRowConsumer {
        let sizes: [PixelSize]
        var samples: [[PlaneSample]]

        init(sizes: [PixelSize]) {
            self.sizes = sizes
            samples = sizes.map { _ in [] }
        }

        func neededRows(ofPlane plane: Int) -> Range<Int> { 0..<sizes[plane].height }
        func neededColumns(ofPlane plane: Int) -> Range<Int> { 0..<sizes[plane].width }
        func consume(_ row: UnsafePointer<PlaneSample>, plane: Int) {
            samples[plane].append(contentsOf: UnsafeBufferPointer(start: row, count: sizes[plane].width))
        }
    }
}
