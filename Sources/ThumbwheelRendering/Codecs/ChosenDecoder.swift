import ThumbwheelFormats

/// A decoder that was chosen for one picture, together with the codec that it belongs to.
struct ChosenDecoder {
    let codec: any Codec
    let decoder: RenderedImage.Decoder

    /// The scales at which the decoder can decode, in eighths of full size and in increasing order.
    var eighths: [Int] { codec.eighths(of: decoder) }
    func isStoppable(for head: ImageHead, byteCount: Int?) -> Bool {
        codec.isStoppable(decoder, for: head, byteCount: byteCount)
    }

    func memory(for head: ImageHead, eighths: Int, byteCount: Int) -> DecoderMemory {
        codec.memory(of: decoder, for: head, eighths: eighths, byteCount: byteCount)
    }
}
