import ThumbwheelCore
import ThumbwheelPipeline
import ThumbwheelRendering

/// A rendition in the form in which a store keeps it: first a few facts, then either its pixels (without loss) or its
/// file.
///
/// | bytes | field |
/// | --- | --- |
/// | 1 | the form: 0 packed pixels, 1 pixels as they are, 2 a file |
/// | 1 | the pixel format, as its number of bytes per pixel; for a file 0 |
/// | 4, 4 | width and height in pixels, little-endian |
/// | 1 | the origin of the pixels: 0 unknown, 1 a preview, 2 a reduced decode, 3 a full decode |
/// | 1 | the scale of the decode in eighths; 0 unknown |
/// | 1 + n | the length n of the decoder's name, and the name; empty if unknown |
/// | 1 + n | the length n of the thumbnail hash, and the hash; empty if there is none |
/// | the rest | the pixels or the file |
struct StoredImage {
    let image: PipelineImage
    let thumbHash: ThumbHash?

    private enum Form: UInt8 {
        case packed, pixels, file
    }

    private static let sources: [ImageInfo.Source] = [.embedded, .reduced, .full]

    // MARK: Encoding an image for a store

    /// Encodes an image for a store. Returns nil if the image consists of packed (losslessly compressed) pixels that
    /// are not a `PackedBitmap`, because stores know no other packed form.
    static func bytes(of shared: SharedImage, thumbHash: ThumbHash?) -> [UInt8]? {
        let facts = shared.facts
        if let file = shared.file {
            return head(.file, facts, size: file.pixelSize, format: nil, thumbHash) + file.bytes
        }
        if let bitmap = shared.bitmap {
            if let packed = PackedBitmap(bitmap) {
                return head(.packed, facts, size: bitmap.size, format: bitmap.format, thumbHash) + packed.bytes
            }
            return bitmap.withUnsafeBytes { pixels in
                head(.pixels, facts, size: bitmap.size, format: bitmap.format, thumbHash) + pixels
            }
        }
        guard let packed = shared.packedPixels as? PackedBitmap else { return nil }
        return head(.packed, facts, size: packed.size, format: .rgb, thumbHash) + packed.bytes
    }

    private static func head(
        _ form: Form, _ facts: ImageFacts, size: PixelSize, format: Bitmap.PixelFormat?, _ thumbHash: ThumbHash?
    ) -> [UInt8] {
        var bytes = [form.rawValue, UInt8(format?.rawValue ?? 0)]
        for side in [size.width, size.height] {
            withUnsafeBytes(of: UInt32(clamping: side).littleEndian) { bytes += $0 }
        }
        bytes.append(UInt8(facts.source.flatMap { sources.firstIndex(of: $0) }.map { $0 + 1 } ?? 0))
        bytes.append(UInt8(clamping: facts.eighths ?? 0))
        for text in [facts.decoder.map { Array($0.rawValue.utf8) } ?? [], thumbHash?.bytes ?? []] {
            bytes.append(UInt8(text.count))
            bytes += text
        }
        return bytes
    }

    // MARK: Decoding a stored image

    /// Reads an image from its stored form.
    ///
    /// - Parameter file: called if the stored bytes are an encoded image file. It gets the bytes of the file and the
    ///   size of the image in pixels, and returns the `ImageData`. It returns nil if the caller has asked for pixels,
    ///   not for an encoded file.
    /// - Returns: nil if the bytes are not the stored form of an image, or if `file` has returned nil.
    init?(_ bytes: [UInt8], file: ([UInt8], PixelSize) -> ImageData?) {
        var reader = StoredImageReader(bytes)
        guard let form = reader.byte().flatMap({ Form(rawValue: $0) }), let format = reader.byte(),
            let width = reader.number(), let height = reader.number(), let source = reader.byte(),
            let eighths = reader.byte(), let decoder = reader.text(), let hash = reader.text()
        else { return nil }
        let size = PixelSize(width: width, height: height)
        guard !size.isEmpty, let contents = Self.contents(form, format, size, reader.rest, file: file) else {
            return nil
        }
        var facts = ImageFacts(pixelSize: size, byteCount: contents.byteCount)
        facts.source =
            source == 0 ? nil : Self.sources.indices.contains(Int(source) - 1) ? Self.sources[Int(source) - 1] : nil
        facts.eighths = eighths == 0 ? nil : Int(eighths)
        facts.decoder = RenderedImage.Decoder(rawValue: String(decoding: decoder, as: UTF8.self))
        image = PipelineImage(contents.contents, facts)
        thumbHash = ThumbHash(bytes: hash)
    }

    private static func contents(
        _ form: Form, _ format: UInt8, _ size: PixelSize, _ rest: ArraySlice<UInt8>,
        file: ([UInt8], PixelSize) -> ImageData?
    ) -> (contents: ImageContents, byteCount: Int)? {
        switch form {
        case .packed:
            guard let bitmap = PackedBitmap(size: size, bytes: Array(rest))?.unpacked() else { return nil }
            return (.pixels(bitmap), bitmap.byteCount)
        case .pixels:
            guard let format = Bitmap.PixelFormat(rawValue: Int(format)) else { return nil }
            let (pixels, overflows) = size.width.multipliedReportingOverflow(by: size.height)
            guard !overflows, pixels < 1 << 40, rest.count == pixels * format.bytesPerPixel else { return nil }
            let bitmap = Bitmap(size: size, format: format) { target in
                rest.withUnsafeBytes { target.copyMemory(from: $0) }
            }
            return (.pixels(bitmap), bitmap.byteCount)
        case .file: return file(Array(rest), size).map { (.file($0), $0.memoryByteCount) }
        }
    }
}

/// Reads the fields of a stored image, one after another.
private struct StoredImageReader {
    private(set) var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) { rest = bytes[...] }

    mutating func byte() -> UInt8? { rest.popFirst() }

    mutating func number() -> Int? {
        guard rest.count >= 4 else { return nil }
        defer { rest = rest.dropFirst(4) }
        return rest.prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
    }

    mutating func text() -> ArraySlice<UInt8>? {
        guard let count = byte(), rest.count >= count else { return nil }
        defer { rest = rest.dropFirst(Int(count)) }
        return rest.prefix(Int(count))
    }
}
