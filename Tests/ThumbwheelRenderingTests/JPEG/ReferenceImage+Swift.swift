import FixtureKit
import ReferenceJPEG
import ThumbwheelCore

/// What libjpeg read from a JPEG.
final class LibJPEG {
    private var image = ReferenceImage()

    /// - Returns: nil where libjpeg refuses the file.
    init?(coefficientsOf bytes: [UInt8]) {
        guard reference_read_coefficients(bytes, bytes.count, &image) == 0 else { return nil }
    }

    /// - Returns: nil where libjpeg refuses the file.
    init?(planesOf bytes: [UInt8], eighths: Int) {
        guard reference_read_planes(bytes, bytes.count, Int32(eighths), &image) == 0 else { return nil }
    }

    deinit {
        reference_free(&image)
    }

    /// Complaints about the file's contents.
    var warningCount: Int { Int(image.warningCount) }

    lazy var components: [ReferenceComponent] = withUnsafeBytes(of: image.components) { bytes in
        Array(bytes.bindMemory(to: ReferenceComponent.self).prefix(Int(image.count)))
    }
}

extension ReferenceComponent {
    /// The quantisation steps in natural order.
    var stepsInNaturalOrder: [Int] {
        withUnsafeBytes(of: steps) { $0.bindMemory(to: UInt16.self).map(Int.init) }
    }

    /// A coefficient in natural order, as it is stored: not multiplied by its step.
    func coefficient(column: Int, row: Int, index: Int) -> Int {
        Int(blocks[(row * Int(columns) + column) * 64 + index])
    }
}

/// Encodes JPEGs of all kinds that libjpeg can write.
struct LibJPEGEncoder {
    struct Scan {
        var components: [Int]
        var band = 0...63
        var high = 0
        var low = 0
    }

    var sampling: [(horizontal: Int, vertical: Int)] = [(2, 2), (1, 1), (1, 1)]
    var quality = 85
    var restartUnits = 0
    var hasManyTables = false
    var isOptimized = false
    var hasCoarseSteps = false
    var isArithmetic = false
    var scans: [Scan] = []

    /// libjpeg's own progression, each component in scans of its own but for the DC coefficients.
    static func progression(_ count: Int) -> [Scan] {
        let all = Array(0..<count)
        return [Scan(components: all, band: 0...0, low: 1)]
            + all.map { Scan(components: [$0], band: 1...5, low: 2) }
            + all.map { Scan(components: [$0], band: 6...63, low: 2) }
            + all.map { Scan(components: [$0], band: 1...63, high: 2, low: 1) }
            + [Scan(components: all, band: 0...0, high: 1, low: 0)]
            + all.map { Scan(components: [$0], band: 1...63, high: 1, low: 0) }
    }

    /// The progression of libjpeg and its friends, of 1 or 3 components: chroma comes nearly whole at once.
    static func simpleProgression(_ count: Int) -> [Scan] {
        let all = Array(0..<count)
        let chroma = Array(all.dropFirst())
        return [Scan(components: all, band: 0...0, low: 1), Scan(components: [0], band: 1...5, low: 2)]
            + chroma.map { Scan(components: [$0], band: 1...63, low: 1) }
            + [
                Scan(components: [0], band: 6...63, low: 2), Scan(components: [0], band: 1...63, high: 2, low: 1),
                Scan(components: all, band: 0...0, high: 1, low: 0),
            ]
            + chroma.map { Scan(components: [$0], band: 1...63, high: 1, low: 0) }
            + [Scan(components: [0], band: 1...63, high: 1, low: 0)]
    }

    /// Samples of a raster as they are: their meaning does not matter.
    func encode(_ raster: Raster) throws -> [UInt8] {
        try written { encoding, count in
            encoding.width = Int32(raster.width)
            encoding.height = Int32(raster.height)
            return reference_encode(raster.bytes, &encoding, &count)
        }
    }

    /// The same coefficients in this encoder's scans.
    func transcode(_ bytes: [UInt8]) throws -> [UInt8] {
        try written { reference_transcode(bytes, bytes.count, &$0, &$1) }
    }

    private func written(
        _ write: (inout ReferenceEncoding, inout Int) -> UnsafeMutablePointer<UInt8>?
    ) throws -> [UInt8] {
        var encoding = ReferenceEncoding()
        encoding.componentCount = Int32(sampling.count)
        func four(_ values: [Int]) -> (Int32, Int32, Int32, Int32) {
            let padded = (values + [1, 1, 1]).map(Int32.init)
            return (padded[0], padded[1], padded[2], padded[3])
        }
        encoding.horizontal = four(sampling.map(\.horizontal))
        encoding.vertical = four(sampling.map(\.vertical))
        encoding.quality = Int32(quality)
        encoding.restartUnits = Int32(restartUnits)
        encoding.hasManyTables = hasManyTables ? 1 : 0
        encoding.isOptimized = isOptimized ? 1 : 0
        encoding.hasCoarseSteps = hasCoarseSteps ? 1 : 0
        encoding.isArithmetic = isArithmetic ? 1 : 0
        let scans = scans.map { scan in
            let padded = scan.components.map(Int32.init) + [0, 0, 0, 0]
            return ReferenceScan(
                componentCount: Int32(scan.components.count), components: (padded[0], padded[1], padded[2], padded[3]),
                first: Int32(scan.band.lowerBound), last: Int32(scan.band.upperBound), high: Int32(scan.high),
                low: Int32(scan.low))
        }
        encoding.scanCount = Int32(scans.count)
        var count = 0
        let bytes = scans.withUnsafeBufferPointer { scans in
            encoding.scans = scans.baseAddress
            return write(&encoding, &count)
        }
        guard let bytes else { throw Refusal() }
        defer { reference_release(bytes) }
        return Array(UnsafeBufferPointer(start: bytes, count: count))
    }

    struct Refusal: Error {}
}
