import CLibAV
import ThumbwheelCore
import ThumbwheelFormats
import ThumbwheelRendering

/// One export: reads packets by libavformat, copies them or encodes their frames anew, and writes them, on the calling
/// thread.
final class LibAVExport {
    private let job: VideoExporters.Job
    private let file: VideoFile
    private let muxer: ExportMuxer
    private var packet: UnsafeMutablePointer<AVPacket>?
    /// The streams that are written, by the numbers of the streams that are read.
    private var places: [Int32: Int32] = [:]
    /// The streams of frames and sound that have not reached the end of the wanted part.
    private var unfinished: Set<Int32> = []
    private var transcoder: Transcoder?
    /// The streams of sound that are encoded anew, by the numbers of the streams that are read.
    private var sounds: [Int32: SoundTranscoder] = [:]
    private var convertedTracks: [String] = []
    private var droppedTracks: [String] = []

    init(_ job: VideoExporters.Job) throws(VideoExportFailure) {
        self.job = job
        let head = job.head
        file = try Self.reading { () throws(RenderError) in
            let file = try VideoFile(
                VideoDecoders.Input(
                    bytes: job.bytes, head: head, limits: job.limits, byteLimit: .max,
                    interruption: job.interruption), readsAllStreams: true)
            try file.readStreamFacts()
            return file
        }
        muxer = try ExportMuxer(job)
        packet = av_packet_alloc()
        guard packet != nil else { throw .reading(.limitExceeded(limit: .memory)) }
    }

    deinit { av_packet_free(&packet) }

    func run() throws(VideoExportFailure) -> VideoExportReport {
        muxer.keepMetadata(of: file.context!)
        try addStreams()
        try muxer.start()
        if let start = job.settings.timeRange?.lowerBound {
            try Self.reading { () throws(RenderError) in try file.seek(toKeyFrameBefore: start) }
        }
        job.progress(0)
        try writeCovers()
        try copyPackets()
        try transcoder?.finish { packet, unit throws(VideoExportFailure) in
            try self.muxer.write(packet, in: unit, to: self.places[self.file.stream.pointee.index]!)
        }
        for (index, sound) in sounds.sorted(by: { $0.key < $1.key }) {
            try sound.finish { packet, unit throws(VideoExportFailure) in
                try self.muxer.write(packet, in: unit, to: self.places[index]!)
            }
        }
        let byteCount = try muxer.finish()
        job.progress(1)
        let parameters = file.stream.pointee.codecpar.pointee
        return VideoExportReport(
            byteCount: byteCount,
            codedSize: transcoder?.size
                ?? PixelSize(width: Int(parameters.width), height: Int(parameters.height)),
            droppedTracks: droppedTracks, convertedTracks: convertedTracks)
    }

    /// Carries out a part that reads, whose errors are those of reading.
    private static func reading<Value>(
        _ body: () throws(RenderError) -> Value
    ) throws(VideoExportFailure) -> Value {
        do throws(RenderError) { return try body() } catch { throw .reading(error) }
    }

    // MARK: Streams

    private var streams: [UnsafeMutablePointer<AVStream>] {
        let context = file.context!.pointee
        return (0..<Int(context.nb_streams)).compactMap { context.streams[$0] }
    }

    private func addStreams() throws(VideoExportFailure) {
        if job.settings.frames == .unchanged, job.head.orientation != .up, !muxer.takesRotation {
            throw .unsupported(
                reason: "a file of the type \(job.settings.contentType.rawValue) is not written with turned frames")
        }
        let hasKnownSound = streams.contains {
            let parameters = $0.pointee.codecpar.pointee
            return parameters.codec_type == AVMEDIA_TYPE_AUDIO && parameters.codec_id != AV_CODEC_ID_NONE
        }
        for stream in streams {
            let parameters = stream.pointee.codecpar.pointee
            let name = String(cString: avcodec_get_name(parameters.codec_id))
            if isCover(stream) {
                guard muxer.takesCovers else {
                    if job.settings.keepsMetadata { droppedTracks.append(name) }
                    continue
                }
                places[stream.pointee.index] = try muxer.addCopy(of: stream)
                continue
            }
            let isShown = stream == file.stream
            switch (parameters.codec_type, job.settings.frames) {
            case (AVMEDIA_TYPE_VIDEO, .h264(let size, let quality)):
                guard isShown else {
                    droppedTracks.append(name)
                    continue
                }
                let transcoder = try Transcoder(
                    stream, job: job, fitting: size, quality: quality, usesGlobalHeader: muxer.wantsGlobalHeader)
                self.transcoder = transcoder
                places[stream.pointee.index] = try muxer.addStream(of: transcoder.encoder, like: stream)
                unfinished.insert(stream.pointee.index)
            // Telephones record sound in a new coding beside a usual one.
            case (AVMEDIA_TYPE_AUDIO, _) where parameters.codec_id == AV_CODEC_ID_NONE && hasKnownSound:
                droppedTracks.append(name)
            case (AVMEDIA_TYPE_AUDIO, .h264)
            where !muxer.takes(parameters.codec_id) && muxer.takes(AV_CODEC_ID_AAC):
                try addConverted(stream, named: name)
            case (AVMEDIA_TYPE_VIDEO, .unchanged), (AVMEDIA_TYPE_AUDIO, _):
                guard muxer.takes(parameters.codec_id) else { throw misfit(name, parameters.codec_id) }
                places[stream.pointee.index] = try muxer.addCopy(of: stream)
                unfinished.insert(stream.pointee.index)
            // Drones and action cameras write places into subtitles.
            case (AVMEDIA_TYPE_SUBTITLE, _) where job.settings.keepsMetadata && muxer.takes(parameters.codec_id):
                places[stream.pointee.index] = try muxer.addCopy(of: stream)
            default: droppedTracks.append(name)
            }
        }
    }

    /// Adds a stream of sound that the container cannot hold, and that is encoded anew.
    private func addConverted(
        _ stream: UnsafeMutablePointer<AVStream>, named name: String
    ) throws(VideoExportFailure) {
        let index = stream.pointee.index
        let sound = SoundTranscoder(
            stream, usesGlobalHeader: muxer.wantsGlobalHeader, interruption: job.interruption)
        guard let sound else { throw misfit(name, stream.pointee.codecpar.pointee.codec_id) }
        sounds[index] = sound
        places[index] = try muxer.addStream(of: sound.encoder, like: stream)
        unfinished.insert(index)
        convertedTracks.append(name)
    }

    /// The error for a track that the container cannot hold. It names the containers that can.
    private func misfit(_ name: String, _ codec: AVCodecID) -> VideoExportFailure {
        let others = ExportMuxer.contentTypes.filter { ExportMuxer.holds(codec, in: $0) }.map(\.rawValue)
        let advice = others.isEmpty ? "" : "; \(others.joined(separator: ", ")) can"
        return .unsupported(
            reason: "a file of the type \(job.settings.contentType.rawValue) cannot hold \(name)" + advice)
    }

    private func isCover(_ stream: UnsafeMutablePointer<AVStream>) -> Bool {
        stream.pointee.disposition & AV_DISPOSITION_ATTACHED_PIC != 0
    }

    private func writeCovers() throws(VideoExportFailure) {
        for stream in streams where isCover(stream) && stream.pointee.attached_pic.size > 0 {
            guard let place = places[stream.pointee.index] else { continue }
            av_packet_unref(packet)
            guard av_packet_ref(packet, &stream.pointee.attached_pic) >= 0, let packet else {
                throw .reading(.limitExceeded(limit: .memory))
            }
            (packet.pointee.pts, packet.pointee.dts) = (0, 0)
            try muxer.write(packet, in: stream.pointee.time_base, to: place)
        }
    }

    // MARK: Packets

    private func copyPackets() throws(VideoExportFailure) {
        guard let packet else { return }
        let part = WantedPart(job.settings.timeRange, of: file)
        // An index may name the same bytes for any number of packets.
        let byteLimit = 16 * min(job.bytes.byteCount, 1 << 50) + 64 << 20
        var byteCount = 0
        while !unfinished.isEmpty {
            guard try Self.reading({ () throws(RenderError) in try file.readAny(into: packet) }) else { return }
            byteCount &+= Int(packet.pointee.size)
            guard byteCount <= byteLimit else { throw .reading(.limitExceeded(limit: .bytes)) }
            let stream = file.context!.pointee.streams[Int(packet.pointee.stream_index)]!
            let index = stream.pointee.index
            // Sound that has ended before the part does has no packet behind it.
            if !unfinished.contains(file.stream.pointee.index), part.isFarBehind(packet.pointee, in: stream.pointee) {
                return
            }
            guard let place = places[index], !isCover(stream), packet.pointee.size > 0 else { continue }
            let isShown = stream == file.stream
            switch part.place(of: packet.pointee, in: stream.pointee, isSound: !isVideo(stream)) {
            case .before: continue
            case .behind:
                unfinished.remove(index)
                continue
            case .afterwards: continue
            case .inside: break
            }
            if isShown, let fraction = part.fraction(at: packet.pointee, of: job.head.duration) {
                job.progress(fraction)
            }
            if isShown, let transcoder {
                try transcoder.take(packet, of: part) { packet, unit throws(VideoExportFailure) in
                    try self.muxer.write(packet, in: unit, to: place)
                }
            } else if let sound = sounds[index] {
                try sound.take(packet, from: part.start(in: stream.pointee)) {
                    packet, unit throws(VideoExportFailure) in
                    try self.muxer.write(packet, in: unit, to: place)
                }
            } else {
                part.shift(packet, in: stream.pointee)
                try muxer.write(packet, in: stream.pointee.time_base, to: place)
            }
        }
    }

    private func isVideo(_ stream: UnsafeMutablePointer<AVStream>) -> Bool {
        stream.pointee.codecpar.pointee.codec_type == AVMEDIA_TYPE_VIDEO
    }
}
