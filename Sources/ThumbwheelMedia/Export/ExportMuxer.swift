import CLibAV
import ThumbwheelCore
import ThumbwheelRendering

/// Writes the file of an export by libavformat: its streams, then the header, then packets, then the trailer.
final class ExportMuxer {
    private var context: UnsafeMutablePointer<AVFormatContext>?
    private let bytes: ExportBytes
    private let settings: VideoExportSettings
    private var lastTimes: [Int64] = []
    /// The sizes of the packets that libavformat was given, added to what the file's length was when its queue was last
    /// empty.
    private var givenByteCount = 0
    /// Whether the metadata have keys of Apple or Android, which QuickTime and MP4 files hold in a table of keys.
    private var hasKeys = false

    /// The types of the files that are written.
    static let contentTypes = [ContentType.mp4, .quickTime, .matroska, .webM]
    /// libavformat's names of these types.
    private static let names: [ContentType: String] = [
        .mp4: "mp4", .quickTime: "mov", .matroska: "matroska", .webM: "webm",
    ]

    /// The most bytes of packets that wait in memory for those of other streams.
    private static let queueLimit = 64 << 20

    init(_ job: VideoExporters.Job) throws(VideoExportFailure) {
        settings = job.settings
        bytes = try ExportBytes(job)
        guard let name = Self.names[settings.contentType] else {
            throw .unsupported(reason: "no file of the type \(settings.contentType.rawValue) is written")
        }
        guard avformat_alloc_output_context2(&context, nil, name, nil) >= 0, let context else {
            throw .unsupported(reason: "libavformat does not write \(name) files")
        }
        context.pointee.pb = bytes.context
        context.pointee.flags |= AVFMT_FLAG_CUSTOM_IO
        // Without this flag, the file names the library that wrote it, and Matroska gets random numbers.
        context.pointee.flags |= AVFMT_FLAG_BITEXACT
        context.pointee.opaque = Unmanaged.passUnretained(bytes).toOpaque()
        // Moving the index to the front reads the file that is being written. No other file is ever opened.
        context.pointee.io_open = { context, reader, _, flags, _ in
            guard flags & AVIO_FLAG_WRITE == 0, let opaque = context?.pointee.opaque else { return tw_averror_access }
            guard let opened = Unmanaged<ExportBytes>.fromOpaque(opaque).takeUnretainedValue().openReader() else {
                return tw_averror_memory
            }
            reader?.pointee = opened
            return 0
        }
        context.pointee.io_close2 = { _, reader in
            if let reader { ExportBytes.close(reader) }
            return 0
        }
    }

    deinit { avformat_free_context(context) }

    private var format: AVOutputFormat { context!.pointee.oformat.pointee }

    /// Whether the container is MP4 or QuickTime.
    private var isMovie: Bool { [.mp4, .quickTime].contains(settings.contentType) }

    /// Whether the container states how frames are turned. libavformat writes it into MP4 and QuickTime files only.
    var takesRotation: Bool { isMovie }

    /// Whether encoders must put their configuration into the header of the file.
    var wantsGlobalHeader: Bool { format.flags & AVFMT_GLOBALHEADER != 0 }

    /// Whether cover pictures are written as such. `keepMetadata` has been called: libavformat writes either a table of
    /// keys or a cover picture.
    var takesCovers: Bool { isMovie && settings.keepsMetadata && !hasKeys }

    /// Whether the container can hold streams of a codec.
    func takes(_ codec: AVCodecID) -> Bool {
        avformat_query_codec(context!.pointee.oformat, codec, FF_COMPLIANCE_NORMAL) == 1
    }

    /// Whether files of a type can hold streams of a codec.
    static func holds(_ codec: AVCodecID, in type: ContentType) -> Bool {
        guard let format = av_guess_format(names[type], nil, nil) else { return false }
        return avformat_query_codec(format, codec, FF_COMPLIANCE_NORMAL) == 1
    }

    /// Keeps the metadata of the whole video, if the settings say so.
    func keepMetadata(of input: UnsafeMutablePointer<AVFormatContext>) {
        guard settings.keepsMetadata, let context else { return }
        av_dict_copy(&context.pointee.metadata, input.pointee.metadata, 0)
        // Those of the old container that would be wrong in the new one.
        for key in ["major_brand", "minor_version", "compatible_brands", "encoder"] {
            av_dict_set(&context.pointee.metadata, key, nil, 0)
        }
        hasKeys = av_dict_get(context.pointee.metadata, "com.", nil, AV_DICT_IGNORE_SUFFIX) != nil
        // In a table of keys, the place has Apple's key.
        if hasKeys, isMovie, let place = av_dict_get(context.pointee.metadata, "location", nil, 0) {
            av_dict_set(
                &context.pointee.metadata, "com.apple.quicktime.location.ISO6709", place.pointee.value,
                AV_DICT_DONT_OVERWRITE)
        }
    }

    /// Adds a stream whose packets are copied from another.
    ///
    /// - Returns: the number of the stream.
    func addCopy(of input: UnsafeMutablePointer<AVStream>) throws(VideoExportFailure) -> Int32 {
        let stream = try newStream(like: input)
        guard avcodec_parameters_copy(stream.pointee.codecpar, input.pointee.codecpar) >= 0 else {
            throw .reading(.limitExceeded(limit: .memory))
        }
        let parameters = stream.pointee.codecpar!
        if av_codec_get_id(format.codec_tag, parameters.pointee.codec_tag) != parameters.pointee.codec_id {
            parameters.pointee.codec_tag = defaultTag(parameters.pointee)
        }
        stream.pointee.sample_aspect_ratio = input.pointee.sample_aspect_ratio
        for type in Self.keptSideData {
            var size = 0
            guard let data = av_stream_get_side_data(input, type, &size), size > 0,
                let copy = av_stream_new_side_data(stream, type, size)
            else { continue }
            copy.update(from: data, count: size)
        }
        return stream.pointee.index
    }

    /// Adds a stream whose packets an encoder makes.
    ///
    /// - Parameter input: the stream that is encoded.
    /// - Returns: the number of the stream.
    func addStream(
        of encoder: UnsafeMutablePointer<AVCodecContext>, like input: UnsafeMutablePointer<AVStream>
    ) throws(VideoExportFailure) -> Int32 {
        let stream = try newStream(like: input)
        guard avcodec_parameters_from_context(stream.pointee.codecpar, encoder) >= 0 else {
            throw .reading(.limitExceeded(limit: .memory))
        }
        stream.pointee.time_base = encoder.pointee.time_base
        return stream.pointee.index
    }

    /// Facts about a stream that lie beside its packets: how its frames are turned, what light and colours they have.
    private static let keptSideData = [
        AV_PKT_DATA_DISPLAYMATRIX, AV_PKT_DATA_STEREO3D, AV_PKT_DATA_SPHERICAL, AV_PKT_DATA_MASTERING_DISPLAY_METADATA,
        AV_PKT_DATA_CONTENT_LIGHT_LEVEL, AV_PKT_DATA_DOVI_CONF, AV_PKT_DATA_CPB_PROPERTIES,
    ]

    private func newStream(
        like input: UnsafeMutablePointer<AVStream>
    ) throws(VideoExportFailure) -> UnsafeMutablePointer<AVStream> {
        guard let stream = avformat_new_stream(context, nil) else { throw .reading(.limitExceeded(limit: .memory)) }
        stream.pointee.time_base = input.pointee.time_base
        stream.pointee.avg_frame_rate = input.pointee.avg_frame_rate
        stream.pointee.disposition = input.pointee.disposition
        // The language tells nothing of who made the video, and players choose by it.
        if let language = av_dict_get(input.pointee.metadata, "language", nil, 0) {
            av_dict_set(&stream.pointee.metadata, "language", language.pointee.value, 0)
        }
        lastTimes.append(.min)
        return stream
    }

    /// The four characters by which a copied stream is told in the file; 0 for those that libavformat chooses. Apple's
    /// players want `hvc1` for HEVC whose parameters lie in the header.
    private func defaultTag(_ parameters: AVCodecParameters) -> UInt32 {
        guard isMovie, parameters.codec_id == AV_CODEC_ID_HEVC, parameters.extradata_size > 0,
            parameters.extradata[0] == 1
        else { return 0 }
        return "hvc1".utf8.reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }

    // MARK: Packets

    /// Writes the header. All streams have been added.
    func start() throws(VideoExportFailure) {
        var options: OpaquePointer?
        defer { av_dict_free(&options) }
        if isMovie {
            var flags = settings.startsEarly ? "+faststart" : ""
            if hasKeys { flags += "+use_metadata_tags" }
            if !flags.isEmpty { av_dict_set(&options, "movflags", flags, 0) }
        }
        try check(avformat_write_header(context, &options))
        givenByteCount = bytes.byteCount
    }

    /// Writes a packet, whose data are given away.
    ///
    /// - Parameters:
    ///   - unit: the unit of the packet's times.
    ///   - index: the number of the stream.
    func write(
        _ packet: UnsafeMutablePointer<AVPacket>, in unit: AVRational, to index: Int32
    ) throws(VideoExportFailure) {
        let stream = context!.pointee.streams[Int(index)]!
        packet.pointee.stream_index = index
        packet.pointee.pos = -1
        if packet.pointee.pts == tw_no_timestamp {
            // Frames that are stored in another order are not shown when they are decoded.
            guard stream.pointee.codecpar.pointee.video_delay == 0 else {
                throw .unsupported(reason: "frames without times")
            }
            packet.pointee.pts = packet.pointee.dts
        }
        av_packet_rescale_ts(packet, unit, stream.pointee.time_base)
        // The times at which packets are decoded must rise. Some files repeat one, or state none.
        let last = lastTimes[Int(index)]
        if packet.pointee.dts == tw_no_timestamp || last != .min && packet.pointee.dts <= last {
            guard last < .max else { throw .reading(.malformed(reason: "packets behind the last time stamp")) }
            let first = packet.pointee.pts == tw_no_timestamp ? 0 : min(0, packet.pointee.pts)
            packet.pointee.dts = last == .min ? first : last + 1
        }
        if packet.pointee.pts == tw_no_timestamp || packet.pointee.pts < packet.pointee.dts {
            packet.pointee.pts = packet.pointee.dts
        }
        lastTimes[Int(index)] = packet.pointee.dts
        givenByteCount &+= Int(packet.pointee.size)
        try check(av_interleaved_write_frame(context, packet))
        // Packets wait for those of other streams, which may never come.
        guard givenByteCount &- bytes.byteCount > Self.queueLimit else { return }
        try check(av_interleaved_write_frame(context, nil))
        givenByteCount = bytes.byteCount
    }

    /// Writes the trailer, and moves the index to the front if the settings say so.
    ///
    /// - Returns: the length of the file.
    func finish() throws(VideoExportFailure) -> Int {
        try check(av_write_trailer(context))
        avio_flush(bytes.context)
        if let failure = bytes.failure { throw failure }
        return bytes.byteCount
    }

    private func check(_ result: Int32) throws(VideoExportFailure) {
        if let failure = bytes.failure { throw failure }
        if result >= 0 { return }
        if result == tw_averror_memory { throw .reading(.limitExceeded(limit: .memory)) }
        throw .unsupported(reason: "libavformat does not write the video (\(result))")
    }
}
