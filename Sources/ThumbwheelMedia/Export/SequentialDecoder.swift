import CLibAV
import ThumbwheelCore
import ThumbwheelRendering

/// Decodes all packets of a stream of frames, one after the other.
final class SequentialDecoder {
    private var context: UnsafeMutablePointer<AVCodecContext>?
    private var frame: UnsafeMutablePointer<AVFrame>?

    init(
        _ stream: UnsafeMutablePointer<AVStream>, codedSize: PixelSize, threadCount: Int
    ) throws(RenderError) {
        context = try VideoCodecs.open(stream, codedSize: codedSize, threadCount: threadCount, isPrompt: false)
        frame = av_frame_alloc()
        guard frame != nil else { throw .limitExceeded(limit: .memory) }
    }

    deinit {
        av_frame_free(&frame)
        avcodec_free_context(&context)
    }

    /// Gives the decoder a packet; nil after the last one.
    func send(_ packet: UnsafeMutablePointer<AVPacket>?) throws(RenderError) {
        let result = avcodec_send_packet(context, packet)
        if result == tw_averror_memory { throw .limitExceeded(limit: .memory) }
        // Nothing follows the end, which may be told twice.
        guard result >= 0 || result == tw_averror_eof else {
            throw .malformed(reason: "libavcodec gives up a packet of a video (\(result))")
        }
    }

    /// Takes the next frame that has been decoded.
    ///
    /// - Returns: whether there was one.
    func receive() throws(RenderError) -> Bool {
        let result = avcodec_receive_frame(context, frame)
        if result == tw_averror_again || result == tw_averror_eof { return false }
        if result == tw_averror_memory { throw .limitExceeded(limit: .memory) }
        guard result >= 0 else { throw .malformed(reason: "libavcodec gives up a frame of a video (\(result))") }
        return true
    }

    /// The time stamp of the frame that was taken last; nil if it is not known, as at the end of some AVI files.
    var timestamp: Int64? {
        let timestamp = frame!.pointee.best_effort_timestamp
        return timestamp == tw_no_timestamp ? nil : timestamp
    }

    /// The frame that was taken last. It is valid until the next one is taken.
    func videoFrame() throws(RenderError) -> VideoFrame { try VideoFrame(frame!) }
}
