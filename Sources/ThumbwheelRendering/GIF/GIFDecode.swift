import ThumbwheelCore
import ThumbwheelFormats

/// A decode of a GIF's first picture, which hands over each row as soon as its palette indices are decoded.
///
/// All indices are kept, one byte for each, because a code can repeat any earlier string of them.
final class GIFDecode: RowDecoder {
    /// The number of rows that are made between two checks of whether the decode must stop.
    private static let guardedRowCount = 16

    private let guardian: DecodeGuard
    private let picture: GIFPicture
    private let colors: GIFColors
    private let codes: GIFCodes
    private let decoder: LZWDecoder<LZWLowBitsFirst>
    private let indices: UnsafeMutableBufferPointer<UInt8>
    private let interlace: GIFInterlace?
    // The error that ended the decoding of indices; nil if there is none.
    private var failure: RenderError?
    // Whether an end code or the last sub-block came before the picture's last pixel, although the file is not cut
    // short. The missing pixels are left transparent, as in browsers, or black if the image has no alpha.
    private var isEndedEarly = false
    let size: PixelSize

    var storedSize: PixelSize { size }
    var channels: Int { colors.channels }
    var eighths: Int { 8 }
    var sideRounding: FloatingPointRoundingRule { .up }
    var reachedEnd: Bool { codes.reachedEnd }
    var profile: [UInt8]? { nil }
    var name: RenderedImage.Decoder { .gif }

    /// Opens the first picture of a GIF.
    ///
    /// - Parameter head: the facts in the file's header. The picture size among them is used if the file does not state
    ///   the size of the logical screen, which is the canvas for all pictures of the file.
    init(
        _ source: any ByteSource, head: ImageHead, limits: RenderLimits, guardian: DecodeGuard
    ) throws(RenderError) {
        self.guardian = guardian
        picture = try GIFPicture(in: source, checking: guardian)
        let screen = picture.screen.isEmpty ? head.storedSize : picture.screen
        // If the first picture does not fit the logical screen, which is the canvas of all pictures, the screen is
        // enlarged, as in browsers.
        let size = PixelSize(
            width: max(screen.width, picture.left + picture.size.width),
            height: max(screen.height, picture.top + picture.size.height))
        guard size.pixelCount <= limits.pixelCount else { throw .limitExceeded(limit: .pixels) }
        guard picture.size.pixelCount <= limits.memoryByteCount else { throw .limitExceeded(limit: .memory) }
        self.size = size
        // The part of the logical screen outside the picture is transparent, so a picture that does not fill the screen
        // needs alpha.
        let hasAlpha = picture.transparentIndex != nil || picture.size != size
        colors = GIFColors(picture, channels: hasAlpha ? 4 : 3)
        codes = GIFCodes(source, at: picture.codesOffset, checking: guardian)
        interlace = picture.isInterlaced ? GIFInterlace(height: picture.size.height) : nil
        decoder = LZWDecoder(symbolBits: picture.symbolBits, early: 0)
        // The memory is not set to zero, because that takes time for many megabytes, and no index is read before it is
        // decoded.
        indices = .allocate(capacity: picture.size.pixelCount)
    }

    deinit {
        indices.deallocate()
    }

    func forEachRow(
        in rows: Range<Int>, _ body: (UnsafePointer<UInt8>) -> Void
    ) -> (count: Int, error: RenderError?) {
        let line = AlignedPlane<UInt8>(pitch: size.width * channels, slack: 16)
        let clear = AlignedPlane<UInt8>(pitch: size.width * channels)
        var count = 0
        var isComplete = true
        for row in rows {
            if count % Self.guardedRowCount == 0, let interruption = guardian.interruption {
                return (count, interruption)
            }
            let inner = row - picture.top
            if inner >= 0, inner < picture.size.height {
                make((place(ofRow: inner) + 1) * picture.size.width)
                let made = lastMade(inner)
                if let failure {
                    guard failure.isDamage, made != nil else { return (count, failure) }
                    isComplete = isComplete && made == inner
                }
                if let made { write(made, to: line.start + picture.left * channels) }
                body(made == nil ? clear.start : line.start)
            } else {
                body(clear.start)
            }
            count += 1
        }
        return (count, isComplete ? nil : failure)
    }

    /// The position of a row of the picture in the order in which the file stores the rows.
    private func place(ofRow row: Int) -> Int { interlace?.place(ofRow: row) ?? row }

    /// Returns `row` if that row has been decoded; otherwise the nearest row above it that an earlier, coarser pass of
    /// the interlace has decoded. Nil if there is no such row.
    private func lastMade(_ row: Int) -> Int? {
        let width = picture.size.width
        // If the codes ended early in a file that is not cut short, the last row is shown even if it is incomplete,
        // because some writers leave out a pixel.
        let count = isEndedEarly ? (decoder.count + width - 1) / width : decoder.count / width
        guard let interlace else { return row < count ? row : nil }
        return interlace.substitute(forRow: row, storedRowCount: count)
    }

    private func write(_ row: Int, to line: UnsafeMutablePointer<UInt8>) {
        let width = picture.size.width
        let start = place(ofRow: row) * width
        let count = min(width, decoder.count - start)
        colors.write(indices.baseAddress! + start, count: count, to: line)
        if count < width { (line + count * channels).update(repeating: 0, count: (width - count) * channels) }
    }

    /// Decodes until the first `wanted` indices of the picture are decoded, or until the codes end or turn out to be
    /// damaged.
    private func make(_ wanted: Int) {
        do throws(RenderError) {
            while decoder.count < wanted, failure == nil, !isEndedEarly {
                let piece = try codes.piece()
                if codes.reachedEnd, piece.isEmpty {
                    throw .truncated(decodedFraction: Double(decoder.count) / Double(indices.count))
                }
                switch decoder.decode(piece, into: indices) {
                case .endOfInput: isEndedEarly = piece.isEmpty
                case .outputFull: break
                case .complete: isEndedEarly = true
                case .damaged: throw .malformed(reason: "a code without a meaning")
                }
                if isEndedEarly, decoder.count == 0 { throw .malformed(reason: "a picture without pixels") }
            }
        } catch {
            failure = error
        }
    }
}
