import CWebP
import ThumbwheelCore

/// The place of a WebP file's first picture: its chunks in the file, and its position on the canvas (RFC 9649).
struct WebPContainer {
    private(set) var canvas: PixelSize
    /// The position on the canvas of the first picture's upper left corner. Only in animations may a picture be smaller
    /// than the canvas.
    private(set) var left = 0
    private(set) var top = 0
    private(set) var size: PixelSize
    private(set) var hasAlpha: Bool
    private(set) var isLossy = false
    /// The chunks that libwebp decodes, with their headers: the alpha plane if there is one, then the colours. The last
    /// chunk may reach beyond the file's end.
    private(set) var chunks: [Range<Int>]
    /// The offset in the file, within the last chunk, at which the data of the picture's rows begin. In a lossy
    /// picture, the headers and the prediction modes of all blocks come before the rows.
    private(set) var rowsStart = 0
    /// The range of the ICC profile's bytes in the file; nil if there is none.
    private(set) var profile: Range<Int>?

    private static let chunkLimit = 4096

    init(_ source: any ByteSource) throws(RenderError) {
        var walk = ChunkWalk(ByteWindow(source), range: 12..<max(12, source.byteCount), left: Self.chunkLimit)
        guard let first = try walk.next() else { throw .truncated(decodedFraction: 0) }
        guard first.kind == "VP8X" else {
            let features = try Self.features(of: first, in: source)
            (canvas, size) = (features.size, features.size)
            hasAlpha = features.hasAlpha
            isLossy = first.kind == "VP8 "
            chunks = [first.extent]
            rowsStart = features.rowsStart
            return
        }
        let flags = try walk.integer(at: first.payload.lowerBound, width: 1)
        canvas = PixelSize(
            width: try walk.integer(at: first.payload.lowerBound + 4, width: 3) + 1,
            height: try walk.integer(at: first.payload.lowerBound + 7, width: 3) + 1)
        size = canvas
        hasAlpha = flags & 0x10 != 0
        chunks = []
        let isAnimated = flags & 2 != 0
        var isInFrame = false
        while let chunk = try walk.next() {
            switch chunk.kind {
            // Of several profiles the first counts (RFC 9649, 2.7.1.4), which is also the one that the head measures. A
            // frame has no profile of its own.
            case "ICCP" where profile == nil && !isInFrame:
                profile = chunk.payload
            case "ANMF" where isAnimated:
                isInFrame = true
                let frame = chunk.payload.lowerBound
                left = 2 * (try walk.integer(at: frame, width: 3))
                top = 2 * (try walk.integer(at: frame + 3, width: 3))
                size = PixelSize(
                    width: try walk.integer(at: frame + 6, width: 3) + 1,
                    height: try walk.integer(at: frame + 9, width: 3) + 1)
                walk.enter(frame + 16..<max(frame + 16, chunk.payload.upperBound))
            // libwebp decodes alpha even if the pixels are wanted without it. A picture without alpha by its header is
            // shown without it, so decoding it would only take memory.
            case "ALPH" where chunks.isEmpty && (hasAlpha || size != canvas):
                chunks.append(chunk.extent)
            case "VP8 ", "VP8L":
                chunks.append(chunk.extent)
                // libwebp writes as many pixels as the stream's own header says. That size must equal the size that the
                // container declares, because memory is allocated for the declared size.
                let features = try Self.features(of: chunk, in: source)
                rowsStart = features.rowsStart
                isLossy = chunk.kind == "VP8 "
                guard features.size == size, left + size.width <= canvas.width, top + size.height <= canvas.height
                else { throw .malformed(reason: "a WebP whose picture is not of the size that it declares") }
                // The part of the canvas outside the picture is transparent, so the canvas needs alpha.
                if size != canvas { hasAlpha = true }
                return
            default:
                break
            }
        }
        throw .truncated(decodedFraction: 0)
    }

    /// The most bytes that libwebp takes for the whole picture while it decodes, besides the memory that it writes the
    /// picture to. Lossless coding takes four bytes a pixel. Alpha is coded without loss too, and copied to a plane.
    var decoderByteCount: Int {
        guard isLossy else { return size.pixelCount * 4 }
        return chunks.count > 1 ? size.pixelCount * 5 : 0
    }

    /// Whether the picture covers its whole canvas.
    var coversCanvas: Bool { size == canvas }

    /// Whether the picture is coded as luma and chroma, without alpha. Such a picture also covers its whole canvas,
    /// because a picture that does not cover it counts as one with alpha.
    var isPlainLossy: Bool { isLossy && !hasAlpha }

    /// The ICC profile; nil if there is none, or one that is too large to be applied.
    func profileContents(in source: any ByteSource) throws(RenderError) -> [UInt8]? {
        guard let profile, profile.count <= ColorConversion.profileByteLimit else { return nil }
        do throws(ByteSourceError) {
            return try source.bytes(in: profile)
        } catch {
            throw .source(error)
        }
    }

    private static func features(
        of chunk: ChunkWalk.Chunk, in source: any ByteSource
    ) throws(RenderError) -> (size: PixelSize, hasAlpha: Bool, rowsStart: Int) {
        let front: [UInt8]
        do throws(ByteSourceError) {
            front = try source.bytes(in: chunk.extent.lowerBound..<chunk.extent.lowerBound + 64)
        } catch {
            throw .source(error)
        }
        var features = WebPBitstreamFeatures()
        switch WebPGetFeatures(front, front.count, &features) {
        case VP8_STATUS_OK: break
        case VP8_STATUS_NOT_ENOUGH_DATA: throw .truncated(decodedFraction: 0)
        default: throw .malformed(reason: "no WebP picture")
        }
        var rowsStart = chunk.payload.lowerBound
        if chunk.kind == "VP8 " {
            // A frame's header has ten bytes. The upper 19 bits of its first three bytes are the length of the first
            // partition (RFC 6386, section 9.1). The rows follow that partition.
            rowsStart += 10 + (Int(front[8]) | Int(front[9]) << 8 | Int(front[10]) << 16) >> 5
        }
        let size = PixelSize(width: Int(features.width), height: Int(features.height))
        return (size, features.has_alpha != 0, rowsStart)
    }
}

/// Walks through the chunks of a RIFF file in order.
private struct ChunkWalk {
    struct Chunk {
        let kind: String
        let payload: Range<Int>
        /// The range of the whole chunk: header, payload and, after a payload of odd length, one byte of padding.
        var extent: Range<Int> { payload.lowerBound - 8..<payload.upperBound + payload.count % 2 }
    }

    private var window: ByteWindow
    private var range: Range<Int>
    private var left: Int

    init(_ window: ByteWindow, range: Range<Int>, left: Int) {
        self.window = window
        self.range = range
        self.left = left
    }

    /// Continues with the chunks in `inner`, and ends where `inner` ends.
    mutating func enter(_ inner: Range<Int>) {
        range = inner
    }

    /// The next chunk; nil at the end of the file, or at the end of the range given to `enter(_:)`.
    mutating func next() throws(RenderError) -> Chunk? {
        guard range.count >= 8 else { return nil }
        guard left > 0 else { throw .malformed(reason: "more chunks than a WebP has") }
        left -= 1
        let start = range.lowerBound
        var kind = ""
        for place in start..<start + 4 {
            guard let byte = try window.byte(at: place) else { return nil }
            kind.unicodeScalars.append(Unicode.Scalar(byte))
        }
        let count = try integer(at: start + 4, width: 4)
        // Chunks are padded to even lengths.
        let end = start + 8 + count + count % 2
        range = min(end, range.upperBound)..<range.upperBound
        return Chunk(kind: kind, payload: start + 8..<start + 8 + count)
    }

    mutating func integer(at offset: Int, width: Int) throws(RenderError) -> Int {
        var value = 0
        for index in 0..<width {
            guard let byte = try window.byte(at: offset + index) else { throw .truncated(decodedFraction: 0) }
            value |= Int(byte) << (8 * index)
        }
        return value
    }
}
