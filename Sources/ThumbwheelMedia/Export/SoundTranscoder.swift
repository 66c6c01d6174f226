import CLibAV
import ThumbwheelRendering

/// Decodes the packets of a stream of sound that a container cannot hold, and encodes the sound as AAC.
final class SoundTranscoder {
    let encoder: UnsafeMutablePointer<AVCodecContext>
    private var decoder: UnsafeMutablePointer<AVCodecContext>?
    private var decoded: UnsafeMutablePointer<AVFrame>?
    private var frame: UnsafeMutablePointer<AVFrame>?
    private var packet: UnsafeMutablePointer<AVPacket>?
    private let unit: AVRational
    private let interruption: () -> RenderError?
    private var samples: SoundSamples
    /// The time of the first sample in `samples`, in samples from the beginning of the part; nil before the first one.
    private var time: Int64?

    /// The codings of sound that cameras and old programs write. Others are never decoded.
    private static let allowed: Set<UInt32> = Set(
        [
            AV_CODEC_ID_PCM_S16LE, AV_CODEC_ID_PCM_S16BE, AV_CODEC_ID_PCM_S24LE, AV_CODEC_ID_PCM_S24BE,
            AV_CODEC_ID_PCM_S32LE, AV_CODEC_ID_PCM_S32BE, AV_CODEC_ID_PCM_F32LE, AV_CODEC_ID_PCM_F32BE,
            AV_CODEC_ID_PCM_U8, AV_CODEC_ID_PCM_S8, AV_CODEC_ID_PCM_ALAW, AV_CODEC_ID_PCM_MULAW,
            AV_CODEC_ID_ADPCM_IMA_QT, AV_CODEC_ID_ADPCM_IMA_WAV, AV_CODEC_ID_ADPCM_MS, AV_CODEC_ID_AMR_NB,
            AV_CODEC_ID_AMR_WB, AV_CODEC_ID_MP2, AV_CODEC_ID_MP3, AV_CODEC_ID_VORBIS, AV_CODEC_ID_OPUS,
            AV_CODEC_ID_FLAC,
        ].map(\.rawValue))
    /// The bits in a second for each channel.
    private static let bitRate: Int64 = 96_000
    /// The number of samples in a frame of AAC.
    private static let frameLength = 1024
    /// The longest gap in the sound that is filled with silence, in seconds. A damaged file may state any time.
    private static let longestGap: Int64 = 600

    /// - Returns: nil if this coding, rate or number of channels is not converted.
    init?(
        _ stream: UnsafeMutablePointer<AVStream>, usesGlobalHeader: Bool, interruption: @escaping () -> RenderError?
    ) {
        let parameters = stream.pointee.codecpar!
        guard Self.allowed.contains(parameters.pointee.codec_id.rawValue), parameters.pointee.sample_rate > 0,
            1...8 ~= parameters.pointee.ch_layout.nb_channels,
            let source = avcodec_find_decoder(parameters.pointee.codec_id),
            let target = avcodec_find_encoder(AV_CODEC_ID_AAC), let encoder = avcodec_alloc_context3(target)
        else { return nil }
        self.encoder = encoder
        self.interruption = interruption
        unit = stream.pointee.time_base
        samples = SoundSamples(channelCount: Int(parameters.pointee.ch_layout.nb_channels))
        decoder = avcodec_alloc_context3(source)
        decoded = av_frame_alloc()
        frame = av_frame_alloc()
        packet = av_packet_alloc()
        guard let decoder, decoded != nil, let frame, packet != nil,
            avcodec_parameters_to_context(decoder, parameters) >= 0
        else { return nil }
        decoder.pointee.pkt_timebase = unit
        decoder.pointee.thread_count = 1
        encoder.pointee.sample_fmt = AV_SAMPLE_FMT_FLTP
        encoder.pointee.sample_rate = parameters.pointee.sample_rate
        encoder.pointee.bit_rate = Self.bitRate * Int64(samples.channels.count)
        encoder.pointee.time_base = AVRational(num: 1, den: parameters.pointee.sample_rate)
        encoder.pointee.thread_count = 1
        if usesGlobalHeader { encoder.pointee.flags |= tw_flag_global_header }
        av_channel_layout_default(&encoder.pointee.ch_layout, Int32(samples.channels.count))
        guard avcodec_open2(decoder, source, nil) == 0, avcodec_open2(encoder, target, nil) == 0 else { return nil }
        frame.pointee.format = AV_SAMPLE_FMT_FLTP.rawValue
        frame.pointee.sample_rate = encoder.pointee.sample_rate
        frame.pointee.nb_samples = Int32(Self.frameLength)
        guard av_channel_layout_copy(&frame.pointee.ch_layout, &encoder.pointee.ch_layout) == 0,
            av_frame_get_buffer(frame, 0) >= 0
        else { return nil }
    }

    deinit {
        avcodec_free_context(&decoder)
        av_frame_free(&decoded)
        av_frame_free(&frame)
        av_packet_free(&packet)
        var encoder: UnsafeMutablePointer<AVCodecContext>? = encoder
        avcodec_free_context(&encoder)
    }

    /// Decodes a packet, and encodes the sound that comes out.
    ///
    /// - Parameter start: the time stamp of the stream at which the part begins.
    func take(
        _ packet: UnsafeMutablePointer<AVPacket>, from start: Int64, _ write: Transcoder.Writer
    ) throws(VideoExportFailure) {
        // A damaged packet is left out, as players do.
        guard avcodec_send_packet(decoder, packet) >= 0 else { return }
        try receive(from: start, write)
    }

    /// Encodes the sound that the decoder and the encoder still hold.
    func finish(_ write: Transcoder.Writer) throws(VideoExportFailure) {
        if avcodec_send_packet(decoder, nil) >= 0 { try receive(from: 0, write) }
        if samples.count > 0 { try encode(samples.count, write) }
        try check(avcodec_send_frame(encoder, nil))
        try passPackets(write)
    }

    private func receive(from start: Int64, _ write: Transcoder.Writer) throws(VideoExportFailure) {
        while let decoded, avcodec_receive_frame(decoder, decoded) >= 0 {
            if let error = interruption() { throw .reading(error) }
            guard Int64(decoded.pointee.sample_rate) == Int64(encoder.pointee.sample_rate) else { continue }
            align(decoded.pointee.best_effort_timestamp, from: start)
            guard samples.append(decoded.pointee) else {
                throw .unsupported(reason: "sound whose samples change their kind")
            }
            // What lies in front of the part is dropped.
            if let time, time < 0 {
                let count = min(samples.count, Int(-time))
                samples.drop(count)
                self.time = time + Int64(count)
            }
            while samples.count >= Self.frameLength { try encode(Self.frameLength, write) }
        }
    }

    /// Fills a gap in front of a frame with silence.
    private func align(_ timestamp: Int64, from start: Int64) {
        let (difference, overflows) = timestamp.subtractingReportingOverflow(start)
        guard timestamp != tw_no_timestamp, !overflows else {
            time = time ?? 0
            return
        }
        let place = av_rescale_q(difference, unit, encoder.pointee.time_base)
        guard let time else {
            self.time = place
            return
        }
        let gap = place &- time &- Int64(samples.count)
        let rate = Int64(encoder.pointee.sample_rate)
        // Time stamps are rounded, so short gaps are none.
        if gap > rate / 20, gap < Self.longestGap * rate { samples.appendSilence(Int(gap)) }
    }

    private func encode(_ count: Int, _ write: Transcoder.Writer) throws(VideoExportFailure) {
        guard let frame, av_frame_make_writable(frame) >= 0 else { throw .reading(.limitExceeded(limit: .memory)) }
        frame.pointee.nb_samples = Int32(count)
        samples.move(count, to: frame)
        frame.pointee.pts = time ?? 0
        time = (time ?? 0) + Int64(count)
        try check(avcodec_send_frame(encoder, frame))
        try passPackets(write)
    }

    private func passPackets(_ write: Transcoder.Writer) throws(VideoExportFailure) {
        guard let packet else { return }
        while true {
            let result = avcodec_receive_packet(encoder, packet)
            if result == tw_averror_again || result == tw_averror_eof { return }
            try check(result)
            try write(packet, encoder.pointee.time_base)
        }
    }

    private func check(_ result: Int32) throws(VideoExportFailure) {
        if result >= 0 { return }
        if result == tw_averror_memory { throw .reading(.limitExceeded(limit: .memory)) }
        throw .unsupported(reason: "libavcodec does not encode sound (\(result))")
    }
}
