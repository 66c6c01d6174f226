import CLibAV
import ThumbwheelCore
import ThumbwheelRendering

/// Decodes HEVC pictures by libavcodec, on the calling thread.
final class LibAVDecoder: PictureDecoder {
    private var context: UnsafeMutablePointer<AVCodecContext>?
    private var packet: UnsafeMutablePointer<AVPacket>?
    private var frame: UnsafeMutablePointer<AVFrame>?

    /// The greatest number of pixels by which the decoder's buffer is wider and higher than the picture.
    private static let padding = 128

    init(_ parameters: HEVCParameters) throws(RenderError) {
        guard let codec = avcodec_find_decoder(AV_CODEC_ID_HEVC), let context = avcodec_alloc_context3(codec) else {
            throw .unavailable(reason: "libavcodec has no decoder of HEVC")
        }
        self.context = context
        packet = av_packet_alloc()
        frame = av_frame_alloc()
        let count = parameters.configuration.count
        guard packet != nil, frame != nil, let extra = av_mallocz(count + Int(tw_input_padding)) else {
            throw .limitExceeded(limit: .memory)
        }
        parameters.configuration.withUnsafeBytes { bytes in
            extra.copyMemory(from: bytes.baseAddress!, byteCount: count)
        }
        context.pointee.extradata = extra.assumingMemoryBound(to: UInt8.self)
        context.pointee.extradata_size = Int32(count)
        context.pointee.thread_count = 1
        context.pointee.err_recognition = AV_EF_EXPLODE
        context.pointee.flags |= tw_flag_low_delay | tw_flag_unaligned
        context.pointee.max_pixels =
            Int64(parameters.codedSize.width + Self.padding) * Int64(parameters.codedSize.height + Self.padding)
        if !parameters.isFiltered { context.pointee.skip_loop_filter = AVDISCARD_ALL }
        guard avcodec_open2(context, codec, nil) == 0 else {
            throw .malformed(reason: "libavcodec does not take the HEVC configuration")
        }
    }

    deinit {
        av_frame_free(&frame)
        av_packet_free(&packet)
        avcodec_free_context(&context)
    }

    func decode(_ data: UnsafeRawBufferPointer) throws(RenderError) -> DecodedPicture {
        guard let context, let packet, let frame, let bytes = data.baseAddress else {
            throw .malformed(reason: "an HEVC picture without data")
        }
        avcodec_flush_buffers(context)
        // The data is copied into a packet, which has the padding that the decoder reads behind the data.
        guard av_new_packet(packet, Int32(clamping: data.count)) == 0 else { throw .limitExceeded(limit: .memory) }
        defer { av_packet_unref(packet) }
        UnsafeMutableRawPointer(packet.pointee.data).copyMemory(from: bytes, byteCount: data.count)
        try Self.check(avcodec_send_packet(context, packet))
        // Draining the decoder returns the picture at once, whatever order of pictures the sequence allows.
        try Self.check(avcodec_send_packet(context, nil))
        try Self.check(avcodec_receive_frame(context, frame))
        return try lent(frame)
    }

    private static func check(_ result: Int32) throws(RenderError) {
        if result >= 0 { return }
        if result == tw_averror_memory { throw .limitExceeded(limit: .memory) }
        throw .malformed(reason: "libavcodec gives up a picture (\(result))")
    }

    private func lent(_ frame: UnsafeMutablePointer<AVFrame>) throws(RenderError) -> DecodedPicture {
        guard frame.pointee.decode_error_flags == 0 else { throw .malformed(reason: "a damaged HEVC picture") }
        return try DecodedPicture(frame)
    }
}
