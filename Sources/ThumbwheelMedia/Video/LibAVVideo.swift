import CLibAV
import ThumbwheelCore
import ThumbwheelRendering

/// Reads frames by libavformat and decodes them by libavcodec, on the calling thread.
final class LibAVVideo: VideoDecoder {
    private let file: VideoFile
    private var context: UnsafeMutablePointer<AVCodecContext>?
    private var packet: UnsafeMutablePointer<AVPacket>?
    /// A packet behind a key frame that is not shown by itself.
    private var follower: UnsafeMutablePointer<AVPacket>?
    private var frame: UnsafeMutablePointer<AVFrame>?
    /// Takes the next frame of a search, so that the last one is kept if there is no next one.
    private var next: UnsafeMutablePointer<AVFrame>?
    /// The search that has ended last, if the decoder still holds what follows its frame.
    private var search: Search?

    /// A search for frames behind one key frame.
    private struct Search {
        /// The time stamp of the key frame.
        let start: Int64
        /// The number of bytes that have been read from the key frame on.
        var byteCount: Int
        /// The time stamp of the frame that was decoded last; nil before the first one.
        var last: Int64?
        /// The time stamp up to which the search has gone.
        var end: Int64 = .min
        /// Whether the decoder has been told that nothing follows.
        var isEnding = false
    }

    /// The time before a wanted frame, in seconds, from which on frames are decoded that no others are decoded from.
    private static let neighbourhood = 0.3
    /// The number of packets behind a wanted frame that a decoder may ask for before it hands out the frame.
    private static let delayLimit = 24

    /// The greatest number of packets behind a key frame that are decoded until a frame comes out.
    private static let followerLimit = 64

    init(_ input: VideoDecoders.Input) throws(RenderError) {
        file = try VideoFile(input)
        // More threads would each hold frames of their own.
        context = try VideoCodecs.open(file.stream, codedSize: input.codedSize, threadCount: 1, isPrompt: true)
        packet = av_packet_alloc()
        follower = av_packet_alloc()
        frame = av_frame_alloc()
        next = av_frame_alloc()
        guard packet != nil, follower != nil, frame != nil, next != nil else { throw .limitExceeded(limit: .memory) }
    }

    deinit {
        av_frame_free(&frame)
        av_frame_free(&next)
        av_packet_free(&packet)
        av_packet_free(&follower)
        avcodec_free_context(&context)
    }

    func readKeyFrame(nearestTo seconds: Double) throws(RenderError) -> KeyFrame {
        guard let packet else { throw .limitExceeded(limit: .memory) }
        search = nil
        try file.seek(toKeyFrameNearest: seconds)
        try file.read(into: packet, isKeyFrame: true)
        let stamp = Self.timestamp(of: packet)
        return KeyFrame(timestamp: stamp, seconds: file.seconds(at: stamp), byteCount: Int(packet.pointee.size))
    }

    private static func timestamp(of packet: UnsafeMutablePointer<AVPacket>) -> Int64 {
        packet.pointee.pts == tw_no_timestamp ? packet.pointee.dts : packet.pointee.pts
    }

    // MARK: Frames between key frames

    func keyFrameSeconds(continuingTo seconds: Double) -> Double? {
        let target = file.timestamp(of: seconds)
        guard let search, let last = search.last, target <= last || !search.isEnding, target >= search.end,
            let keyFrames = file.keyFrames(around: seconds), keyFrames.before <= search.start
        else { return nil }
        let (before, behind) = (file.seconds(at: keyFrames.before), keyFrames.behind.map(file.seconds(at:)))
        return behind.map { abs($0 - seconds) < abs(before - seconds) ? $0 : before } ?? before
    }

    /// The time stamp up to which a search goes; nil if the nearest key frame is as near.
    private func end(of search: FrameSearch, from start: Int64) -> Int64? {
        let end = min(search.seconds, file.seconds(at: start) + search.reach)
        let isNearer = abs(search.seconds - end) < abs(search.seconds - search.keyFrameSeconds)
        return isNearer ? file.timestamp(of: end) : nil
    }

    func hasFrame(for search: FrameSearch) -> Bool {
        guard let known = self.search, let last = known.last, let end = end(of: search, from: known.start) else {
            return false
        }
        return known.end <= end && end <= last
    }

    func readFrames(for search: FrameSearch) throws(RenderError) {
        guard let follower else { throw .limitExceeded(limit: .memory) }
        self.search = nil
        try file.seek(toKeyFrameBefore: search.seconds)
        try file.read(into: follower, isKeyFrame: true)
        guard let end = end(of: search, from: Self.timestamp(of: follower)) else { return }
        var (byteCount, count) = (Int(follower.pointee.size), 0)
        while byteCount <= search.byteLimit, count < Self.delayLimit {
            do throws(RenderError) {
                try file.read(into: follower, isKeyFrame: false)
            } catch .truncated {
                return
            }
            byteCount += Int(follower.pointee.size)
            if Self.timestamp(of: follower) >= end { count += 1 }
        }
    }

    func decodeFrame(for search: FrameSearch) throws(RenderError) -> VideoFrame? {
        guard let context, let follower, let frame, let next else { throw .limitExceeded(limit: .memory) }
        if hasFrame(for: search) { return try VideoFrame(frame) }
        var state: Search
        if let known = self.search {
            state = known
        } else {
            try file.seek(toKeyFrameBefore: search.seconds)
            try file.read(into: follower, isKeyFrame: true)
            avcodec_flush_buffers(context)
            state = Search(start: Self.timestamp(of: follower), byteCount: Int(follower.pointee.size))
        }
        self.search = nil
        guard let end = end(of: search, from: state.start) else { return nil }
        state.end = end
        context.pointee.skip_loop_filter = AVDISCARD_DEFAULT
        context.pointee.flags &= ~tw_flag_low_delay
        defer {
            context.pointee.flags |= tw_flag_low_delay
            context.pointee.skip_frame = AVDISCARD_DEFAULT
        }
        if state.last == nil { try send(follower, to: context, before: end) }
        while true {
            try file.checkInterruption()
            let result = avcodec_receive_frame(context, next)
            if result == tw_averror_again, !state.isEnding {
                try readNext(into: follower, of: &state, within: search)
                try send(state.isEnding ? nil : follower, to: context, before: end)
                continue
            }
            if result == tw_averror_eof || result == tw_averror_again { break }
            try Self.check(result)
            av_frame_unref(frame)
            av_frame_move_ref(frame, next)
            let stamp = frame.pointee.best_effort_timestamp
            state.last = stamp
            if stamp == tw_no_timestamp || stamp >= end { break }
        }
        guard state.last != nil else { return nil }
        self.search = state
        return try VideoFrame(frame)
    }

    /// Reads the packet that follows, or notes that none follows within the limits.
    private func readNext(
        into follower: UnsafeMutablePointer<AVPacket>, of state: inout Search, within search: FrameSearch
    ) throws(RenderError) {
        guard state.byteCount <= search.byteLimit else {
            state.isEnding = true
            return
        }
        do throws(RenderError) {
            try file.read(into: follower, isKeyFrame: false)
            state.byteCount += Int(follower.pointee.size)
        } catch .truncated {
            state.isEnding = true
        }
    }

    /// Gives the decoder a packet on the way to a frame, or tells it that nothing follows.
    private func send(
        _ packet: UnsafeMutablePointer<AVPacket>?, to context: UnsafeMutablePointer<AVCodecContext>, before end: Int64
    ) throws(RenderError) {
        let isFar = packet.map { file.seconds(at: Self.timestamp(of: $0)) < file.seconds(at: end) - Self.neighbourhood }
        context.pointee.skip_frame = isFar ?? false ? AVDISCARD_NONREF : AVDISCARD_DEFAULT
        try Self.check(avcodec_send_packet(context, packet))
    }

    // MARK: Key frames

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
