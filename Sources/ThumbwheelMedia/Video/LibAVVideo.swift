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

    /// The greatest number of packets behind a key frame that are decoded until a frame comes out.
    private static let followerLimit = 64

    init(_ input: VideoDecoders.Input) throws(RenderError) {
        file = try VideoFile(input)
        // More threads would each hold frames of their own.
        context = try VideoCodecs.open(file.stream, codedSize: input.codedSize, threadCount: 1, isPrompt: true)
        packet = av_packet_alloc()
        follower = av_packet_alloc()
        frame = av_frame_alloc()
        guard packet != nil, follower != nil, frame != nil else { throw .limitExceeded(limit: .memory) }
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
