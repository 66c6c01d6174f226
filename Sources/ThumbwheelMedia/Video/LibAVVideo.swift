import CLibAV
import ThumbwheelCore
import ThumbwheelRendering

/// Reads key frames by libavformat and decodes them by libavcodec, on the calling thread.
final class LibAVVideo: VideoDecoder {
    private let file: VideoFile
    private var context: UnsafeMutablePointer<AVCodecContext>?
    private var packet: UnsafeMutablePointer<AVPacket>?
    /// A packet behind a key frame that is not shown by itself.
    private var follower: UnsafeMutablePointer<AVPacket>?
    private var frame: UnsafeMutablePointer<AVFrame>?

    /// The greatest number of pixels by which the decoder's buffer is wider and higher than the frame.
    private static let padding = 128
    /// The greatest number of packets behind a key frame that are decoded until a frame comes out.
    private static let followerLimit = 64

    init(_ input: VideoDecoders.Input) throws(RenderError) {
        file = try VideoFile(input)
        guard let parameters = file.stream.pointee.codecpar,
            let codec = VideoCodecs.decoder(of: parameters.pointee.codec_id)
        else { throw .unsupportedFormat }
        context = avcodec_alloc_context3(codec)
        packet = av_packet_alloc()
        follower = av_packet_alloc()
        frame = av_frame_alloc()
        guard let context, packet != nil, follower != nil, frame != nil else { throw .limitExceeded(limit: .memory) }
        guard avcodec_parameters_to_context(context, parameters) >= 0 else {
            throw .malformed(reason: "libavcodec does not take the parameters of a video")
        }
        context.pointee.pkt_timebase = file.stream.pointee.time_base
        // More threads would each hold frames of their own.
        context.pointee.thread_count = 1
        context.pointee.flags |= tw_flag_low_delay | tw_flag_unaligned
        context.pointee.error_concealment = 0
        context.pointee.max_pixels =
            Int64(input.codedSize.width + Self.padding) * Int64(input.codedSize.height + Self.padding)
        guard avcodec_open2(context, codec, nil) == 0 else {
            throw .malformed(reason: "libavcodec does not take the configuration of a video")
        }
    }

    deinit {
        av_frame_free(&frame)
        av_packet_free(&packet)
        av_packet_free(&follower)
        avcodec_free_context(&context)
    }

    func readKeyFrame(nearestTo seconds: Double) throws(RenderError) -> KeyFrame {
        guard let packet else { throw .limitExceeded(limit: .memory) }
        try file.seek(toKeyFrameNearest: seconds)
        try file.read(into: packet, isKeyFrame: true)
        let stamp = packet.pointee.pts == tw_no_timestamp ? packet.pointee.dts : packet.pointee.pts
        return KeyFrame(timestamp: stamp, byteCount: Int(packet.pointee.size))
    }

    func decode(isFiltered: Bool) throws(RenderError) -> VideoFrame {
        guard let context, let packet, let follower, let frame else { throw .limitExceeded(limit: .memory) }
        try file.checkInterruption()
        av_frame_unref(frame)
        context.pointee.skip_loop_filter = isFiltered ? AVDISCARD_DEFAULT : AVDISCARD_ALL
        // Draining the decoder returns the frame at once, whatever order of frames the video allows.
        if try receives([packet, nil], context, frame) { return try VideoFrame(frame) }
        // Some key frames are shown only together with frames behind them, from which they are refreshed.
        avcodec_flush_buffers(context)
        if try sends(packet, context, frame) { return try VideoFrame(frame) }
        for _ in 0..<Self.followerLimit {
            do throws(RenderError) {
                try file.read(into: follower, isKeyFrame: false)
            } catch .truncated {
                break
            }
            if try sends(follower, context, frame) { return try VideoFrame(frame) }
        }
        guard try sends(nil, context, frame) else {
            throw .malformed(reason: "libavcodec makes no frame of a video's key frame")
        }
        return try VideoFrame(frame)
    }

    /// Decodes packets from the beginning of a sequence until a frame comes out.
    private func receives(
        _ packets: [UnsafeMutablePointer<AVPacket>?], _ context: UnsafeMutablePointer<AVCodecContext>,
        _ frame: UnsafeMutablePointer<AVFrame>
    ) throws(RenderError) -> Bool {
        avcodec_flush_buffers(context)
        for packet in packets where try sends(packet, context, frame) { return true }
        return false
    }

    /// Decodes a packet, or ends the sequence of packets.
    ///
    /// - Returns: whether a frame came out.
    private func sends(
        _ packet: UnsafeMutablePointer<AVPacket>?, _ context: UnsafeMutablePointer<AVCodecContext>,
        _ frame: UnsafeMutablePointer<AVFrame>
    ) throws(RenderError) -> Bool {
        try file.checkInterruption()
        try Self.check(avcodec_send_packet(context, packet))
        let result = avcodec_receive_frame(context, frame)
        if result == tw_averror_again || result == tw_averror_eof { return false }
        try Self.check(result)
        return true
    }

    private static func check(_ result: Int32) throws(RenderError) {
        if result >= 0 { return }
        if result == tw_averror_memory { throw .limitExceeded(limit: .memory) }
        throw .malformed(reason: "libavcodec gives up a frame (\(result))")
    }
}
