import ThumbwheelCore
import ThumbwheelFormats

/// One decode of a GIF's first picture: rows are handed over as their indices arrive.
///
/// All indices are kept, a byte for each, because a string of any of them may come again.
final class GIFDecode: RowDecoder {
    /// Rows between two looks at the guardian.
    private static let guardedRowCount = 16

    private let guardian: DecodeGuard
    private let picture: GIFPicture
    private let colors: GIFColors
    private let codes: GIFCodes
    private let decoder: LZWDecoder<LZWLowBitsFirst>
    private let indices: UnsafeMutableBufferPointer<UInt8>
    private let interlace: GIFInterlace?
    // Why there are no more indices.
    private var failure: RenderError?
    // Whether the file itself says that there are no more. The pixels that are missing are left clear, as browsers do.
    private var isEndedEarly = false
    let size: PixelSize

    var storedSize: PixelSize { size }
    var channels: Int { colors.channels }
    var eighths: Int { 8 }
    var sideRounding: FloatingPointRoundingRule { .up }
    var reachedEnd: Bool { codes.reachedEnd }
    var profile: [UInt8]? { nil }
    var name: RenderedImage.Decoder { .gif }

    /// - Parameter head: knows how large the screen must be for all pictures, where the file does not say it.
    init(
        _ source: any ByteSource, head: ImageHead, limits: RenderLimits, guardian: DecodeGuard
    ) throws(RenderError) {
        self.guardian = guardian
        picture = try GIFPicture(in: source, checking: guardian)
        let screen = picture.screen.isEmpty ? head.storedSize : picture.screen
        // The first picture enlarges a screen that is too small for it, as it does in browsers.
        let size = PixelSize(
            width: max(screen.width, picture.left + picture.size.width),
            height: max(screen.height, picture.top + picture.size.height))
        guard size.pixelCount <= limits.pixelCount else { throw .limitExceeded(limit: .pixels) }
        guard picture.size.pixelCount <= limits.memoryByteCount else { throw .limitExceeded(limit: .memory) }
        self.size = size
        // The rest of the screen is transparent.
        let hasAlpha = picture.transparentIndex != nil || picture.size != size
        colors = GIFColors(picture, channels: hasAlpha ? 4 : 3)
        codes = GIFCodes(source, at: picture.codes, checking: guardian)
        interlace = picture.isInterlaced ? GIFInterlace(height: picture.size.height) : nil
        decoder = LZWDecoder(symbolBits: picture.symbolBits, early: 0)
        // None is looked at before it is made; and many megabytes would be zeroed for nothing.
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
        var isWhole = true
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
                    isWhole = isWhole && made == inner
                }
                if let made { write(made, to: line.start + picture.left * channels) }
                body(made == nil ? clear.start : line.start)
            } else {
                body(clear.start)
            }
            count += 1
        }
        return (count, isWhole ? nil : failure)
    }

    /// Where a row lies among those of the file.
    private func place(ofRow row: Int) -> Int { interlace?.place(ofRow: row) ?? row }

    /// The row, if it is made, or one of a coarser pass that may stand for it; nil if there is none.
    private func lastMade(_ row: Int) -> Int? {
        let width = picture.size.width
        // The last row of a picture that the file ends itself may have a beginning only: some writers lose a pixel.
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

    /// Decodes until there are so many indices, if the file has them.
    private func make(_ wanted: Int) {
        do throws(RenderError) {
            while decoder.count < wanted, failure == nil, !isEndedEarly {
                let piece = try codes.piece()
                if codes.reachedEnd, piece.isEmpty {
                    throw .truncated(decodedFraction: Double(decoder.count) / Double(indices.count))
                }
                switch decoder.decode(piece, into: indices) {
                case .input: isEndedEarly = piece.isEmpty
                case .room: break
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
