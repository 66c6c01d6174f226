import ThumbwheelCore
import ThumbwheelFormats

/// Opens the strips and tiles of a TIFF's picture, so that their rows can be decoded.
final class TIFFBlockOpener {
    /// The number of bytes that are decoded from a tile at a time. Tiles that lie side by side take turns, so that rows
    /// of the whole picture become complete. In each turn, several rows of a tile are decoded, because each switch to
    /// another tile's decompressor pushes tables out of the processor's cache.
    private static let groupByteCount = 96 << 10
    /// The number of bytes that are decoded from a strip at a time. No other decompressor takes turns with that of a
    /// strip, and igzip copies its last 32 KiB with each call.
    private static let stripGroupByteCount = 192 << 10
    /// The number of bytes of memory that an open strip or tile takes besides its rows. A deflate decoder
    /// (`InflateStream`) takes the most, although it usually touches only a quarter of its memory.
    private static let byteCountPerBlock = 480 << 10

    let picture: TIFFPicture
    let format: TIFFSampleFormat
    /// The size of a strip or tile at the scale of the decode.
    let blockSize: PixelSize
    /// The number of rows that are decoded from a strip or tile at a time. If there is a tile to its right, the same
    /// rows of that tile are decoded next.
    let groupHeight: Int

    private let bytes: any ByteSource
    private let limits: RenderLimits
    private let guardian: DecodeGuard
    private let compression: TIFFCompression
    private let converter: TIFFSampleConverter
    /// The number of bytes of each sample in the decoded rows.
    var bytesPerSample: Int { converter.bytesPerSample }
    private let jpeg: TIFFJPEGStreams?
    private var places: TIFFBlockPlaces
    private let inflaterHabit = TIFFInflaterHabit()

    /// - Parameters:
    ///   - eighths: the scale at which JPEG streams are decoded, in eighths of full size; 8 for other compressions.
    ///   - keepsAllBits: whether samples of 16 bits keep all their bits, instead of being reduced to 8 bits.
    /// - Returns: nil for samples that the decoder does not support.
    init?(
        _ bytes: any ByteSource, _ picture: TIFFPicture, order: ByteOrder, eighths: Int, keepsAllBits: Bool,
        limits: RenderLimits,
        guardian: DecodeGuard
    ) throws(RenderError) {
        guard let compression = TIFFCompression(rawValue: picture.coding.compression),
            let format = try TIFFSampleFormat(picture, in: bytes, order: order)
        else { return nil }
        self.bytes = bytes
        self.picture = picture
        self.format = format
        self.compression = compression
        self.limits = limits
        self.guardian = guardian
        converter = TIFFSampleConverter(format, order: order, keepsAllBits: keepsAllBits)
        places = TIFFBlockPlaces(picture, in: bytes, order: order)
        let (width, height) = (picture.blockSize.width, picture.blockSize.height)
        blockSize = PixelSize(width: (width * eighths + 7) / 8, height: (height * eighths + 7) / 8)
        let rowStep = TIFFPredictor.groupHeight
        let groupByteCount = picture.columnCount == 1 ? Self.stripGroupByteCount : Self.groupByteCount
        groupHeight = min(blockSize.height, max(1, groupByteCount / picture.bytesPerBlockRow / rowStep) * rowStep)
        jpeg =
            compression != .jpeg
            ? nil
            : TIFFJPEGStreams(
                tables: try Self.tables(of: picture, in: bytes), isLuma: format.isLuma,
                channels: format.channels, eighths: eighths, guardian: guardian)
        let kept: Double =
            switch compression {
            case .jpeg: Double(blockSize.width) * Double(blockSize.height) * Double(format.channels)
            case .lzw: Double(picture.bytesPerBlockRow) * Double(height)
            case .none, .deflate, .formerDeflate, .packBits: 0
            }
        let rows = Double(
            groupHeight * (picture.bytesPerBlockRow + blockSize.width * format.channels * converter.bytesPerSample))
        guard
            Double(picture.columnCount) * (kept + rows + Double(Self.byteCountPerBlock))
                <= Double(limits.memoryByteCount)
        else { throw .limitExceeded(limit: .memory) }
    }

    /// The largest number of bytes of JPEG tables; usual tables have a few hundred.
    private static let tableLimit = 64 << 10

    private static func tables(of picture: TIFFPicture, in bytes: any ByteSource) throws(RenderError) -> [UInt8] {
        guard let range = picture.jpegTables else { return [] }
        guard range.length <= tableLimit else { throw .malformed(reason: "JPEG tables of \(range.length) bytes") }
        do throws(ByteSourceError) {
            return try bytes.bytes(in: range)
        } catch {
            throw .source(error)
        }
    }

    /// The range of bytes in the file from which a strip or tile is read.
    func range(row: Int, column: Int) throws(RenderError) -> Range<Int> {
        let range = try places.range(of: row * picture.columnCount + column)
        guard compression == .none else { return range }
        let (end, overflows) = range.lowerBound.addingReportingOverflow(
            picture.bytesPerBlockRow * height(ofRow: row))
        return range.lowerBound..<(overflows ? .max : end)
    }

    private func height(ofRow row: Int) -> Int {
        picture.isTiled
            ? picture.blockSize.height
            : min(picture.blockSize.height, picture.size.height - row * picture.blockSize.height)
    }

    /// Opens a strip or tile at its first row.
    ///
    /// - Returns: nil for a JPEG stream that the decoder does not support.
    func block(row: Int, column: Int) throws(RenderError) -> (any TIFFBlock)? {
        if let jpeg {
            return try self.jpeg(row: row, column: column).flatMap { decode in
                TIFFJPEGBlock(decode, height: height(ofRow: row), jpeg)
            }
        }
        let range = try places.range(of: row * picture.columnCount + column)
        return TIFFSampleBlock(
            decompressor(of: range, height: height(ofRow: row)), format: format, converter: converter,
            width: picture.blockSize.width, bytesPerRow: picture.bytesPerBlockRow, rowCount: groupHeight)
    }

    /// Opens a strip or tile that is a JPEG stream.
    ///
    /// - Parameter hasCoarseChroma: whether chroma that the file stores at half of luma's resolution stays at half in
    ///   the decode.
    /// - Returns: nil if the strips or tiles are no JPEG streams, or for a stream that the decoder does not support.
    func jpeg(row: Int, column: Int, hasCoarseChroma: Bool = false) throws(RenderError) -> JPEGDecode? {
        guard let jpeg else { return nil }
        let range = try places.range(of: row * picture.columnCount + column)
        guard range.length <= limits.byteCount else { throw .limitExceeded(limit: .bytes) }
        // The stream is copied once, behind the tables that it lacks.
        guard 2 * range.length <= limits.memoryByteCount else { throw .limitExceeded(limit: .memory) }
        let stream: [UInt8]
        do throws(ByteSourceError) {
            stream = try bytes.bytes(in: range)
        } catch {
            throw .source(error)
        }
        guard stream.count == range.length else { throw .truncated(decodedFraction: 0) }
        let size = PixelSize(width: picture.blockSize.width, height: height(ofRow: row))
        let shownSize = PixelSize(
            width: min(size.width, picture.size.width - column * picture.blockSize.width),
            height: min(size.height, picture.size.height - row * picture.blockSize.height))
        return try jpeg.decode(stream, size: size, shownSize: shownSize, hasCoarseChroma: hasCoarseChroma)
    }

    private func decompressor(of range: Range<Int>, height: Int) -> any TIFFDecompressor {
        let byteCount = picture.bytesPerBlockRow * height
        // Whether the samples are uncompressed. If so, their number of bytes is computed as `byteCount`, because the
        // number that the file states may be wrong.
        let isStored = compression == .none
        let input = TIFFBlockInput(
            bytes, in: isStored ? range.lowerBound..<range.lowerBound + byteCount : range, checking: guardian)
        return switch compression {
        case .deflate, .formerDeflate: TIFFInflater(input, inflaterHabit)
        case .packBits: TIFFPackBits(input)
        case .lzw: TIFFLZWSamples(input, byteCount: byteCount)
        case .none, .jpeg: TIFFStoredSamples(input)
        }
    }
}
