import ThumbwheelCore
import ThumbwheelFormats

/// The codecs of all formats that the library renders.
enum Codecs {
    static let all: [any Codec] = [
        JPEGCodec(), PNGCodec(), WebPCodec(), GIFCodec(), TIFFCodec(), HEIFCodec(), BMPCodec(),
        VideoCodec(),
    ]

    private static let byType: [ContentType: any Codec] = Dictionary(
        uniqueKeysWithValues: all.flatMap { codec in codec.contentTypes.map { ($0, codec) } })

    /// The codec for a type; nil for types that are not rendered.
    static subscript(type: ContentType) -> (any Codec)? { byType[type] }
}

extension ImageHead {
    /// The decoders of the picture, in the order in which they are tried; empty if no decoder reads it.
    var chosenDecoders: [ChosenDecoder] {
        guard let codec = Codecs[contentType] else { return [] }
        return codec.decoders(for: self).map { ChosenDecoder(codec: codec, decoder: $0) }
    }

    /// The decoder that is tried first; nil if no decoder reads the picture.
    var chosenDecoder: ChosenDecoder? {
        guard let codec = Codecs[contentType], let decoder = codec.decoders(for: self).first else { return nil }
        return ChosenDecoder(codec: codec, decoder: decoder)
    }

    /// The scales at which the picture can be decoded, in eighths of full size and in increasing order; only 8 if no
    /// decoder reads the picture.
    var decodeEighths: [Int] { chosenDecoder?.eighths ?? [8] }
}
