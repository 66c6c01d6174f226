import CLibAV
import ThumbwheelCore
import ThumbwheelRendering

/// Encodes bitmaps as H.264, in the colours of BT.709, with one chroma sample for four pixels.
final class H264Encoder {
    let context: UnsafeMutablePointer<AVCodecContext>
    private var frame: UnsafeMutablePointer<AVFrame>?
    private var packet: UnsafeMutablePointer<AVPacket>?
    private let interruption: () -> RenderError?

    /// The encoders that are used, the best first.
    private static let names = ["libx264", "libopenh264"]

    /// - Parameters:
    ///   - size: the size of the bitmaps; its sides are even.
    ///   - frameRate: the average rate; a rate of 0 is not known.
    ///   - quality: x264's constant rate factor.
    ///   - threadCount: the number of threads, each of which holds frames of its own.
    ///   - interruption: returns the error with which the export must stop; nil while it may continue.
    init(
        _ size: PixelSize, timeBase: AVRational, frameRate: AVRational, quality: Int, usesGlobalHeader: Bool,
        threadCount: Int, interruption: @escaping () -> RenderError?
    ) throws(VideoExportFailure) {
        self.interruption = interruption
        guard let codec = Self.names.lazy.compactMap({ avcodec_find_encoder_by_name($0) }).first else {
            throw .unsupported(reason: "libavcodec has no encoder of H.264")
        }
        var made = avcodec_alloc_context3(codec)
        frame = av_frame_alloc()
        packet = av_packet_alloc()
        guard let context = made, let frame, packet != nil else {
            avcodec_free_context(&made)
            av_frame_free(&frame)
            av_packet_free(&packet)
            throw .reading(.limitExceeded(limit: .memory))
        }
        self.context = context
        context.pointee.width = Int32(size.width)
        context.pointee.height = Int32(size.height)
        context.pointee.pix_fmt = AV_PIX_FMT_YUV420P
        context.pointee.thread_count = Int32(threadCount)
        context.pointee.time_base = timeBase
        context.pointee.sample_aspect_ratio = AVRational(num: 1, den: 1)
        context.pointee.color_range = AVCOL_RANGE_MPEG
        context.pointee.colorspace = AVCOL_SPC_BT709
        context.pointee.color_primaries = AVCOL_PRI_BT709
        context.pointee.color_trc = AVCOL_TRC_BT709
        context.pointee.chroma_sample_location = AVCHROMA_LOC_LEFT
        let isRateKnown = frameRate.num > 0 && frameRate.den > 0
        if isRateKnown { context.pointee.framerate = frameRate }
        // A key frame every two seconds, so that players jump and strips are made without long decodes.
        let rate = isRateKnown ? Double(frameRate.num) / Double(frameRate.den) : 30
        context.pointee.gop_size = Int32(max(12, min(2 * rate, 250)))
        if usesGlobalHeader { context.pointee.flags |= tw_flag_global_header }
        var options: OpaquePointer?
        defer { av_dict_free(&options) }
        if String(cString: codec.pointee.name) == "libx264" {
            av_dict_set(&options, "preset", "veryfast", 0)
            av_dict_set(&options, "crf", "\(max(0, min(quality, 51)))", 0)
        } else {
            // An encoder that knows rates only: a tenth of a bit for each pixel is about the factor 23.
            context.pointee.bit_rate = Int64(Double(size.pixelCount) * rate / 10)
        }
        guard avcodec_open2(context, codec, &options) == 0 else {
            throw .unsupported(reason: "libavcodec does not encode H.264 of \(size.width)×\(size.height)")
        }
        frame.pointee.format = AV_PIX_FMT_YUV420P.rawValue
        frame.pointee.width = context.pointee.width
        frame.pointee.height = context.pointee.height
        guard av_frame_get_buffer(frame, 0) >= 0 else { throw .reading(.limitExceeded(limit: .memory)) }
    }

    deinit {
        av_frame_free(&frame)
        av_packet_free(&packet)
        var context: UnsafeMutablePointer<AVCodecContext>? = context
        avcodec_free_context(&context)
    }

    /// Encodes a bitmap, and writes the packets that come out.
    ///
    /// - Parameter time: the time of the frame in the unit of the encoder; later than the last.
    func encode(_ bitmap: Bitmap, at time: Int64, _ write: Transcoder.Writer) throws(VideoExportFailure) {
        // The encoder may still hold the last frame's memory. Then this one gets memory of its own.
        guard let frame, av_frame_make_writable(frame) >= 0 else { throw .reading(.limitExceeded(limit: .memory)) }
        YUVConversion.fill(frame, with: bitmap)
        frame.pointee.pts = time
        try check(avcodec_send_frame(context, frame))
        try passPackets(write)
    }

    /// Encodes the frames that the encoder still holds.
    func finish(_ write: Transcoder.Writer) throws(VideoExportFailure) {
        try check(avcodec_send_frame(context, nil))
        try passPackets(write)
    }

    private func passPackets(_ write: Transcoder.Writer) throws(VideoExportFailure) {
        guard let packet else { return }
        while true {
            // At the end, the encoder encodes dozens of frames that it has looked ahead at.
            if let error = interruption() { throw .reading(error) }
            let result = avcodec_receive_packet(context, packet)
            if result == tw_averror_again || result == tw_averror_eof { return }
            try check(result)
            let rate = context.pointee.framerate
            if packet.pointee.duration == 0, rate.num > 0 {
                packet.pointee.duration = av_rescale_q(
                    1, AVRational(num: rate.den, den: rate.num), context.pointee.time_base)
            }
            try write(packet, context.pointee.time_base)
        }
    }

    private func check(_ result: Int32) throws(VideoExportFailure) {
        if result >= 0 { return }
        if result == tw_averror_memory { throw .reading(.limitExceeded(limit: .memory)) }
        throw .unsupported(reason: "libavcodec does not encode a frame (\(result))")
    }
}
