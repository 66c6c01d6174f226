import ThumbwheelCore
import ThumbwheelFormats

/// Makes decoders of coded pictures.
enum PictureDecoders {
    /// The largest number of pixels, in each direction, by which a coded picture may exceed the size that its item
    /// states: the padding of one coding block.
    private static let padding = 64

    /// - Parameters:
    ///   - name: the decoder to make: `.dav1d`, `.libavcodec` or `.de265`.
    ///   - configuration: the contents of the item's decoder configuration box.
    ///   - size: the size of a picture, as its item states it.
    ///   - hasLayers: whether the picture has layers, which are decoded one by one.
    ///   - isFiltered: whether the filters that smooth the edges of blocks after decoding are applied.
    /// - Throws: `.malformed` if the configuration announces a larger picture than its item does, because the decoder
    ///   would need more memory than was predicted. `.unsupportedFormat` if the decoders do not support the coding.
    static func make(
        _ name: RenderedImage.Decoder, configuration: [UInt8], size: PixelSize, hasLayers: Bool, isFiltered: Bool
    ) throws(RenderError) -> any PictureDecoder {
        if name == .dav1d {
            return try Dav1dDecoder(configuration, size: size, hasLayers: hasLayers, isFiltered: isFiltered)
        }
        let parsed = try HEVCConfiguration(configuration)
        for coded in parsed.sequences.map(\.size) {
            guard coded.width <= size.width + padding, coded.height <= size.height + padding else {
                throw .malformed(reason: "an HEVC picture of \(coded) in an item of \(size)")
            }
        }
        guard parsed.isSupported else { throw .unsupportedFormat }
        if name == .libavcodec,
            let decoder = try HEVCDecoders.makeLibAV(
                HEVCParameters(configuration: configuration, codedSize: parsed.sequence.size, isFiltered: isFiltered))
        {
            return decoder
        }
        return try De265Decoder(parsed, isFiltered: isFiltered)
    }
}
