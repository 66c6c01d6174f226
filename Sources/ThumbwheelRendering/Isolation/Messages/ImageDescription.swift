import ThumbwheelCore

/// A description of an image. The image's pixels are sent with it, as the descriptor of sealed memory that both
/// processes share.
package struct ImageDescription: Equatable, Sendable {
    var size: PixelSize
    var format: Bitmap.PixelFormat
    var source: RenderedImage.Source
    var eighths: Int
    var decoder: RenderedImage.Decoder
    var isPartial = false
    var thumbHash: ThumbHash?

    package init(
        size: PixelSize, format: Bitmap.PixelFormat, source: RenderedImage.Source, eighths: Int,
        decoder: RenderedImage.Decoder, isPartial: Bool = false, thumbHash: ThumbHash? = nil
    ) {
        self.size = size
        self.format = format
        self.source = source
        self.eighths = eighths
        self.decoder = decoder
        self.isPartial = isPartial
        self.thumbHash = thumbHash
    }

    /// The largest width or height, in pixels, that a message may state. A message with a larger one is invalid.
    private static let sideLimit = 1 << 24

    /// The number of bytes of the pixels. A description that was read from a message has bounded sides, so the product
    /// cannot overflow.
    var byteCount: Int { size.width * size.height * format.bytesPerPixel }
}

extension ImageDescription {
    init(_ image: RenderedImage) {
        self.init(
            size: image.bitmap.size, format: image.bitmap.format, source: image.source, eighths: image.eighths,
            decoder: image.decoder, isPartial: image.isPartial, thumbHash: image.thumbHash)
    }

    func write(to writer: inout MessageWriter) {
        writer.write(size.width)
        writer.write(size.height)
        writer.write(UInt8(format.rawValue))
        writer.write(source.rawValue)
        writer.write(UInt8(eighths))
        writer.write(decoder.rawValue)
        writer.write(isPartial)
        writer.write(thumbHash?.bytes ?? [])
    }

    init(from reader: inout MessageReader) throws(MessageError) {
        size = PixelSize(
            width: try reader.number(in: 1...Self.sideLimit), height: try reader.number(in: 1...Self.sideLimit))
        guard let format = Bitmap.PixelFormat(rawValue: Int(try reader.byte())),
            let source = RenderedImage.Source(rawValue: try reader.text(atMost: 32))
        else { throw MessageError() }
        (self.format, self.source) = (format, source)
        eighths = Int(try reader.byte())
        guard (1...8).contains(eighths),
            let decoder = RenderedImage.Decoder(rawValue: try reader.text(atMost: 32))
        else { throw MessageError() }
        self.decoder = decoder
        isPartial = try reader.flag()
        let hash = try reader.block(atMost: ThumbHash.byteLimit)
        guard !hash.isEmpty else { return }
        thumbHash = ThumbHash(bytes: hash)
        if thumbHash == nil { throw MessageError() }
    }
}
