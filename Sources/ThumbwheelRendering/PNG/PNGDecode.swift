import ThumbwheelCore

/// Decodes a PNG. Rows are inflated and unfiltered in bands, which are groups of consecutive rows. An interlaced
/// picture is decoded as a whole before its first row is handed over.
final class PNGDecode: RowDecoder {
    /// The largest number of bytes of scanlines in a band. A band has at least four scanlines, even if they are longer.
    private static let bandByteCount = 256 << 10
    /// The largest width or height, in pixels; larger pictures are refused, as in libpng. The decode's memory grows
    /// with the width and the height that the header states, even if the file contains only a few of the pixels.
    private static let sideLimit = 1_000_000
    /// The number of rows between two checks whether the decode must stop.
    private static let guardedRowCount = 16

    private let source: any ByteSource
    private let guardian: DecodeGuard
    private let container: PNGContainer
    private let data: PNGImageData
    private let samples: PNGSamples
    private let showsDamage: Bool
    let channels: Int
    var bytesPerSample: Int { samples.bytesPerSample }
    let calibration: CodedColors?

    var size: PixelSize { container.header.size }
    var storedSize: PixelSize { container.header.size }
    var eighths: Int { 8 }
    var sideRounding: FloatingPointRoundingRule { .up }
    var reachedEnd: Bool { data.reachedEnd }
    var name: RenderedImage.Decoder { .png }

    /// - Parameters:
    ///   - usesCalibration: whether the `gAMA`, `cHRM` and `sRGB` chunks are applied if there is no profile.
    ///   - keepsAllBits: whether samples of 16 bits keep all their bits, instead of being reduced to 8.
    ///   - showsDamage: whether the caller shows what there is of a damaged picture. If not, an interlaced picture that
    ///     is damaged hands over no rows.
    init(
        _ source: any ByteSource, usesCalibration: Bool, keepsAllBits: Bool = false, showsDamage: Bool = true,
        limits: RenderLimits, guardian: DecodeGuard
    ) throws(RenderError) {
        self.source = source
        self.showsDamage = showsDamage
        self.guardian = guardian
        let chunks = PNGChunkReader(source, at: 8, checking: guardian)
        container = try PNGContainer(chunks)
        let size = container.header.size
        samples = PNGSamples(container, keepsAllBits: keepsAllBits)
        calibration = usesCalibration && container.profileStart == nil ? container.calibration.colors : nil
        channels = samples.channels(of: container.header, hasTransparency: container.transparency != nil)
        guard max(size.width, size.height) <= Self.sideLimit, size.pixelCount <= limits.pixelCount else {
            throw .limitExceeded(limit: .pixels)
        }
        guard
            !container.header.isInterlaced
                || size.pixelCount * channels * samples.bytesPerSample <= limits.memoryByteCount
        else {
            throw .limitExceeded(limit: .memory)
        }
        data = PNGImageData(chunks, checking: guardian)
    }

    var profile: [UInt8]? {
        container.profileStart.flatMap { PNGProfile.contents(of: source, at: $0, checking: guardian) }
    }

    func forEachRow(
        in rows: Range<Int>, _ body: (UnsafePointer<UInt8>) -> Void
    ) -> (count: Int, error: RenderError?) {
        if container.header.isInterlaced { return forEachInterlacedRow(in: rows, body) }
        var (count, error) = makeRows(rows.upperBound, width: size.width) { row, index in
            if index >= rows.lowerBound { body(row) }
        }
        if error == nil, rows.upperBound == size.height { error = data.finish() }
        if case .truncated = error { error = .truncated(decodedFraction: Double(count) / Double(size.height)) }
        count = max(0, count - rows.lowerBound)
        return (count, error)
    }

    /// Decodes the first `count` rows of a whole picture, or of one pass of an interlaced picture. Calls `body` with
    /// each row and its index.
    ///
    /// - Returns: the number of rows that were decoded, and the error that ended the decode; nil if all rows were
    ///   decoded.
    private func makeRows(
        _ count: Int, width: Int, _ body: (UnsafePointer<UInt8>, Int) -> Void
    ) -> (count: Int, error: RenderError?) {
        let lines = PNGScanlines(container.header, samples: samples, channels: channels, width: width)
        let groupHeight = PNGScanlines.groupHeight
        let rowLimit = max(1, Self.bandByteCount / lines.byteCount / groupHeight) * groupHeight
        let bandHeight = min(rowLimit, count)
        let band = AlignedPlane<UInt8>(
            pitch: lines.byteCount, rowCount: bandHeight, slack: PNGScanlines.slack)
        var row = 0
        while row < count {
            let wanted = min(bandHeight, count - row)
            let filled = data.fill(UnsafeMutableRawBufferPointer(start: band.bytes, count: wanted * lines.byteCount))
            let available = filled / lines.byteCount
            for first in stride(from: 0, to: available, by: groupHeight) {
                if first % Self.guardedRowCount == 0, let interruption = guardian.interruption {
                    return (row + first, interruption)
                }
                let group = min(groupHeight, available - first)
                let made = lines.take(band[first], count: group)
                for index in 0..<made { body(lines.row(index), row + first + index) }
                guard made == group else {
                    return (row + first + made, .malformed(reason: "a filter type without a meaning"))
                }
            }
            row += available
            if available < wanted { return (row, data.failure) }
        }
        return (row, nil)
    }

    /// Decodes all passes of an interlaced picture, and hands its rows over afterwards. The pixels of earlier passes
    /// divide the picture into blocks, each with one of these pixels in its upper left corner. If data are missing in a
    /// later pass, a missing pixel takes the colour of that corner.
    private func forEachInterlacedRow(
        in rows: Range<Int>, _ body: (UnsafePointer<UInt8>) -> Void
    ) -> (count: Int, error: RenderError?) {
        let canvas = PNGCanvas(size: size, bytesPerPixel: channels * bytesPerSample)
        var available = size.height
        var pixelCount = 0
        var failure: RenderError?
        for (number, pass) in PNGPass.all.enumerated() {
            let passSize = pass.size(of: size)
            guard !passSize.isEmpty else { continue }
            var made = 0
            if failure == nil {
                (made, failure) = makeRows(passSize.height, width: passSize.width) { row, index in
                    canvas.put(row, pass: pass, row: index)
                }
                if let failure, !failure.isDamage { return (0, failure) }
                pixelCount += made * passSize.width
                if number == 0 { available = min(size.height, made * pass.down) }
                if failure != nil, !showsDamage { break }
            }
            let interruption = canvas.fill(pass: number, fromRow: made, above: available, checking: guardian)
            if let interruption { return (0, interruption) }
        }
        if failure == nil { failure = data.finish() }
        if case .truncated = failure {
            failure = .truncated(decodedFraction: Double(pixelCount) / Double(size.pixelCount))
        }
        if failure != nil, !showsDamage { return (0, failure) }
        var count = 0
        for row in rows where row < available {
            if count % Self.guardedRowCount == 0, let interruption = guardian.interruption {
                return (count, interruption)
            }
            body(canvas.row(row))
            count += 1
        }
        return (count, failure)
    }
}
