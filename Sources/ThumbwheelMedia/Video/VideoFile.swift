import CLibAV
import ThumbwheelCore
import ThumbwheelFormats
import ThumbwheelRendering

/// A video's file as libavformat reads it: the index of its frames, and the packets of coded data.
final class VideoFile {
    private(set) var context: UnsafeMutablePointer<AVFormatContext>?
    private let bytes: VideoBytes
    private let input: VideoDecoders.Input
    private let readsAllStreams: Bool
    /// The stream of pictures that is shown.
    private(set) var stream: UnsafeMutablePointer<AVStream>
    /// The length of a unit of time stamps in seconds. A copy, because times are asked for after the stream is gone too.
    private var unit = 0.0
    /// The time stamp of the beginning of the video. libavformat's own changes with the first packet that is read, if
    /// the header states none.
    private var start: Int64 = 0
    /// The time by which the index's time stamps lie before the times at which the frames are shown. An index may list
    /// the times at which frames are decoded, which is earlier where frames are stored in another order.
    private var indexLead: Int64 = 0
    /// Whether nothing has been read behind the index.
    private var isAtStart = true
    /// Whether only the first fragment's index has been read, of a movie in fragments that may have no index as a whole.
    private var isPartlyIndexed: Bool

    /// The error with which the file could not be opened anew. There is neither a context nor a stream then.
    private var lastingError: RenderError?

    /// The largest number of streams of a file.
    private static let streamLimit: Int32 = 64

    /// - Parameter readsAllStreams: whether packets of other streams than the one that is shown are read too.
    init(_ input: VideoDecoders.Input, readsAllStreams: Bool = false) throws(RenderError) {
        bytes = try VideoBytes(input, skipsSound: !readsAllStreams)
        self.input = input
        self.readsAllStreams = readsAllStreams
        // The index of a movie in fragments is spread over the whole file. Most frames that are asked for need only
        // a part of it.
        isPartlyIndexed = input.isFragmented && !readsAllStreams
        (context, stream) = try Self.open(
            bytes, input, readsAllStreams: readsAllStreams, isPartlyIndexed: isPartlyIndexed)
        findStart()
    }

    private func findStart() {
        unit = Double(stream.pointee.time_base.num) / Double(max(1, stream.pointee.time_base.den))
        let first = avformat_index_get_entry(stream, 0)?.pointee.timestamp
        if stream.pointee.start_time != tw_no_timestamp {
            start = stream.pointee.start_time
            indexLead = first.map { max(0, start &- $0) } ?? 0
        } else if input.isFragmented, let first {
            start = first
        }
    }

    private static func open(
        _ bytes: VideoBytes, _ input: VideoDecoders.Input, readsAllStreams: Bool, isPartlyIndexed: Bool
    ) throws(RenderError) -> (UnsafeMutablePointer<AVFormatContext>?, UnsafeMutablePointer<AVStream>) {
        guard let format = Self.format(of: input.contentType) else { throw .unsupportedFormat }
        var context = avformat_alloc_context()
        guard let made = context else { throw .limitExceeded(limit: .memory) }
        made.pointee.pb = bytes.context
        made.pointee.flags |= AVFMT_FLAG_CUSTOM_IO
        if isPartlyIndexed { made.pointee.flags |= AVFMT_FLAG_IGNIDX }
        made.pointee.max_streams = Self.streamLimit
        // A file may name others, which must not be opened.
        made.pointee.io_open = { _, _, _, _, _ in tw_averror_access }
        made.pointee.interrupt_callback = AVIOInterruptCB(
            callback: { Unmanaged<VideoBytes>.fromOpaque($0!).takeUnretainedValue().isInterrupted ? 1 : 0 },
            opaque: Unmanaged.passUnretained(bytes).toOpaque())
        if readsAllStreams { made.pointee.codec_whitelist = av_strdup(VideoCodecs.analysed) }
        var options: OpaquePointer?
        defer { av_dict_free(&options) }
        if input.isFragmented, !readsAllStreams {
            // An index of the fragments at the end of the file tells where they are.
            av_dict_set(&options, "use_mfra_for", "pts", 0)
            av_dict_set(&options, "ignore_chapters", "1", 0)
        }
        bytes.isOpening = true
        bytes.format = made
        defer { bytes.isOpening = false }
        // The context is freed if the file cannot be opened.
        let result = avformat_open_input(&context, nil, format, &options)
        guard result >= 0, let opened = context else {
            bytes.format = nil
            throw Self.error(result, bytes)
        }
        guard let stream = Self.stream(of: opened, like: input.codedSize) else {
            bytes.format = nil
            avformat_close_input(&context)
            throw .malformed(reason: "libavformat finds no pictures in a video")
        }
        for index in 0..<Int(opened.pointee.nb_streams) where !readsAllStreams {
            let other = opened.pointee.streams[index]!
            if other != stream { other.pointee.discard = AVDISCARD_ALL }
        }
        return (opened, stream)
    }

    /// Opens the file anew, and reads the indexes of all fragments.
    private func readWholeIndex() throws(RenderError) {
        isPartlyIndexed = false
        bytes.format = nil
        avformat_close_input(&context)
        do throws(RenderError) {
            guard avio_seek(bytes.context, 0, SEEK_SET) == 0 else { throw Self.error(tw_averror_io, bytes) }
            (context, stream) = try Self.open(
                bytes, input, readsAllStreams: readsAllStreams, isPartlyIndexed: false)
        } catch {
            lastingError = error
            throw error
        }
        findStart()
    }

    deinit { avformat_close_input(&context) }

    /// The readers of the types whose heads this library reads. Other readers of libavformat are never used.
    private static func format(of type: ContentType) -> UnsafePointer<AVInputFormat>? {
        switch type {
        case .mp4, .quickTime, .threeGPP: av_find_input_format("mov")
        case .matroska, .webM: av_find_input_format("matroska")
        case .avi: av_find_input_format("avi")
        default: nil
        }
    }

    /// The stream that is shown: the first one of the size that the head states, else the first one that is shown by
    /// default, else the first one. Cover pictures are streams too, and are left out.
    private static func stream(
        of context: UnsafeMutablePointer<AVFormatContext>, like size: PixelSize
    ) -> UnsafeMutablePointer<AVStream>? {
        let streams = (0..<Int(context.pointee.nb_streams)).compactMap { context.pointee.streams[$0] }.filter {
            $0.pointee.codecpar.pointee.codec_type == AVMEDIA_TYPE_VIDEO
                && $0.pointee.disposition & AV_DISPOSITION_ATTACHED_PIC == 0
        }
        return streams.first {
            let parameters = $0.pointee.codecpar.pointee
            return PixelSize(width: Int(parameters.width), height: Int(parameters.height)) == size
        } ?? streams.first { $0.pointee.disposition & AV_DISPOSITION_DEFAULT != 0 } ?? streams.first
    }

    // MARK: Packets

    /// Moves in front of the key frame whose time is nearest to a time.
    ///
    /// - Parameter seconds: the time from the beginning of the video.
    func seek(toKeyFrameNearest seconds: Double) throws(RenderError) {
        if let lastingError { throw lastingError }
        if isAtStart, seconds <= 0 { return }
        isAtStart = false
        bytes.forgetMissingPart()
        guard !input.isFragmented else { return try seekInFragments(to: timestamp(of: seconds)) }
        let target = timestamp(of: seconds)
        let found = nearestIndexed(target)
        try check(seek(to: found ?? target))
        // Matroska's index is read with the first seek only.
        if found == nil, let found = nearestIndexed(target), found > target { try check(seek(to: found)) }
    }

    /// Moves in front of the key frame nearest to a time, in a movie in fragments. The index lists only the frames of
    /// fragments that have been read.
    private func seekInFragments(to target: Int64) throws(RenderError) {
        try check(seek(to: target))
        if isPartlyIndexed, !isIndexed(target) {
            try readWholeIndex()
            try check(seek(to: target))
        }
        // If there is a nearer key frame behind the time, it is at most as far from the time as the one in front of it.
        if let before = nearestIndexed(target), before < target { _ = seek(to: target &+ (target &- before)) }
        try check(seek(to: nearestIndexed(target) ?? target))
    }

    /// Whether the index reaches to a time.
    private func isIndexed(_ target: Int64) -> Bool {
        let count = avformat_index_get_entries_count(stream)
        guard let last = avformat_index_get_entry(stream, count - 1)?.pointee.timestamp else { return false }
        let previous = avformat_index_get_entry(stream, count - 2)?.pointee.timestamp ?? last
        // The last frame is shown for about as long as the one before it.
        return target <= last &+ indexLead &+ 2 &* (last &- previous)
    }

    private func seek(to timestamp: Int64) -> Int32 {
        let (context, index) = (context, stream.pointee.index)
        let result = av_seek_frame(context, index, timestamp, AVSEEK_FLAG_BACKWARD)
        // In front of the first key frame there is none, but behind it there is one.
        return result >= 0 ? result : av_seek_frame(context, index, timestamp, 0)
    }

    /// The time at which the indexed key frame nearest to a time is shown; nil if the index lists none.
    private func nearestIndexed(_ target: Int64) -> Int64? {
        let lead = indexLead
        let times = [AVSEEK_FLAG_BACKWARD, 0].compactMap { flags -> Int64? in
            let index = av_index_search_timestamp(stream, target &- lead, flags)
            return index < 0 ? nil : avformat_index_get_entry(stream, index).map { $0.pointee.timestamp &+ lead }
        }
        return times.min { abs($0 &- target) < abs($1 &- target) }
    }

    /// Reads the next packet of the stream.
    ///
    /// - Parameters:
    ///   - packet: takes the packet, in place of the one that it holds.
    ///   - isKeyFrame: whether packets in front of the next key frame are passed over.
    func read(into packet: UnsafeMutablePointer<AVPacket>, isKeyFrame: Bool) throws(RenderError) {
        if let lastingError { throw lastingError }
        isAtStart = false
        while true {
            av_packet_unref(packet)
            guard !bytes.isInterrupted else { throw Self.error(tw_averror_exit, bytes) }
            try check(av_read_frame(context, packet))
            guard packet.pointee.stream_index == stream.pointee.index, packet.pointee.size > 0 else { continue }
            if !isKeyFrame || packet.pointee.flags & AV_PKT_FLAG_KEY != 0 { return }
        }
    }

    /// Reads some packets, from which facts follow that the header of the file does not state, such as the length of a
    /// packet of sound.
    func readStreamFacts() throws(RenderError) {
        try check(avformat_find_stream_info(context, nil))
        findStart()
    }

    /// Reads the next packet of any stream.
    ///
    /// - Parameter packet: takes the packet, in place of the one that it holds.
    /// - Returns: whether there was one; false at the end of the file.
    func readAny(into packet: UnsafeMutablePointer<AVPacket>) throws(RenderError) -> Bool {
        isAtStart = false
        av_packet_unref(packet)
        guard !bytes.isInterrupted else { throw Self.error(tw_averror_exit, bytes) }
        let result = av_read_frame(context, packet)
        if result < 0, bytes.failure == nil {
            if input.isCutShort || result == tw_averror_eof && indexReachesBeyondEnd {
                throw .truncated(decodedFraction: 0)
            }
            if result == tw_averror_eof { return false }
        }
        try check(result)
        // A packet whose end is missing.
        guard packet.pointee.flags & AV_PKT_FLAG_CORRUPT == 0 else { throw .truncated(decodedFraction: 0) }
        return true
    }

    /// Whether the index of a QuickTime or MP4 file lists frames or sound beyond the end of the file.
    private var indexReachesBeyondEnd: Bool {
        guard let context = context?.pointee, input.isMovie else { return false }
        return (0..<Int(context.nb_streams)).contains { index in
            let count = avformat_index_get_entries_count(context.streams[index])
            guard let last = avformat_index_get_entry(context.streams[index], count - 1)?.pointee else { return false }
            return last.pos &+ Int64(last.size) > Int64(input.bytes.byteCount)
        }
    }

    /// Moves in front of the last key frame at or before a time.
    ///
    /// - Parameter seconds: the time from the beginning of the video.
    func seek(toKeyFrameBefore seconds: Double) throws(RenderError) {
        guard seconds > 0 else { return }
        isAtStart = false
        bytes.forgetMissingPart()
        try check(seek(to: timestamp(of: seconds)))
    }

    /// The time stamp of the stream that is shown at a time, in seconds from the beginning of the video.
    func timestamp(of seconds: Double) -> Int64 {
        return start &+ Int64(max(-1e15, min(seconds / max(unit, 1e-12), 1e15)))
    }

    /// The time of a time stamp of the stream that is shown, in seconds from the beginning of the video.
    func seconds(at timestamp: Int64) -> Double {
        return (Double(timestamp) - Double(start)) * unit
    }

    /// The time stamps of the indexed key frames before and behind a time, if the index lists all of them.
    func keyFrames(around seconds: Double) -> (before: Int64, behind: Int64?)? {
        guard !input.isFragmented else { return nil }
        let (target, lead) = (timestamp(of: seconds), indexLead)
        func indexed(_ flags: Int32) -> Int64? {
            let index = av_index_search_timestamp(stream, target &- lead, flags)
            return index < 0 ? nil : avformat_index_get_entry(stream, index).map { $0.pointee.timestamp &+ lead }
        }
        return indexed(AVSEEK_FLAG_BACKWARD).map { ($0, indexed(0)) }
    }

    /// Throws if the decode must stop.
    func checkInterruption() throws(RenderError) {
        if bytes.isInterrupted { throw Self.error(tw_averror_exit, bytes) }
    }

    private func check(_ result: Int32) throws(RenderError) {
        if result < 0 { throw Self.error(result, bytes) }
    }

    private static func error(_ result: Int32, _ bytes: VideoBytes) -> RenderError {
        if let failure = bytes.failure { return failure }
        switch result {
        case tw_averror_memory: return .limitExceeded(limit: .memory)
        case tw_averror_eof: return .truncated(decodedFraction: 0)
        default: return .malformed(reason: "libavformat gives up a video (\(result))")
        }
    }
}
