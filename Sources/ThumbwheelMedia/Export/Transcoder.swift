import CLibAV
import ThumbwheelCore
import ThumbwheelFormats
import ThumbwheelRendering

/// Decodes the packets of a stream of frames, makes the frames upright and smaller, and encodes them as H.264.
final class Transcoder {
    typealias Writer = (UnsafeMutablePointer<AVPacket>, AVRational) throws(VideoExportFailure) -> Void

    /// The size of the frames that are encoded.
    let size: PixelSize
    private let decoder: SequentialDecoder
    private let renderer: FrameRenderer
    private let h264: H264Encoder
    private let interruption: () -> RenderError?
    private var part: WantedPart?
    private var lastTime = Int64.min
    /// The average length of a frame in the unit of the stream; 0 if it is not known.
    private let frameLength: Int64
    /// The time stamp of the frame that was decoded last; nil before the first one whose time is known.
    private var lastTimestamp: Int64?

    var encoder: UnsafeMutablePointer<AVCodecContext> { h264.context }

    init(
        _ stream: UnsafeMutablePointer<AVStream>, job: VideoExporters.Job, fitting target: PixelSize, quality: Int,
        usesGlobalHeader: Bool
    ) throws(VideoExportFailure) {
        interruption = job.interruption
        size = Self.size(of: job.head.displaySize, fitting: target)
        guard max(job.head.codedSize.pixelCount, size.pixelCount) <= job.limits.pixelCount,
            max(size.width, size.height) <= Int(Int32.max)
        else { throw .reading(.limitExceeded(limit: .pixels)) }
        let rate = stream.pointee.avg_frame_rate
        frameLength =
            rate.num > 0 && rate.den > 0
            ? max(0, av_rescale_q(1, AVRational(num: rate.den, den: rate.num), stream.pointee.time_base)) : 0
        do throws(RenderError) {
            decoder = try SequentialDecoder(
                stream, codedSize: job.head.codedSize, threadCount: job.threadCount)
        } catch {
            throw .reading(error)
        }
        renderer = FrameRenderer(job.head, size: size, limits: job.limits)
        h264 = try H264Encoder(
            size, timeBase: stream.pointee.time_base, frameRate: stream.pointee.avg_frame_rate, quality: quality,
            usesGlobalHeader: usesGlobalHeader, threadCount: job.threadCount, interruption: job.interruption)
    }

    /// The largest size of a shape that lies inside a target, has even sides, and enlarges nothing. For the target
    /// `.maximum`, nothing is reduced either.
    static func size(of shape: PixelSize, fitting target: PixelSize) -> PixelSize {
        let target = target == .maximum ? PixelSize(width: .max, height: .max) : target
        let scale = min(
            1, Double(target.width) / Double(shape.width), Double(target.height) / Double(shape.height))
        func side(_ length: Int) -> Int { max(2, Int((Double(length) * scale / 2).rounded()) * 2) }
        return PixelSize(
            width: min(side(shape.width), max(2, target.width / 2 * 2)),
            height: min(side(shape.height), max(2, target.height / 2 * 2)))
    }

    /// Decodes a packet, and encodes the frames that come out and lie in the wanted part.
    func take(
        _ packet: UnsafeMutablePointer<AVPacket>, of part: WantedPart, _ write: Writer
    ) throws(VideoExportFailure) {
        self.part = part
        try decode(packet, write)
    }

    /// Encodes the frames that the decoder and the encoder still hold.
    func finish(_ write: Writer) throws(VideoExportFailure) {
        try decode(nil, write)
        try h264.finish(write)
    }

    private func decode(
        _ packet: UnsafeMutablePointer<AVPacket>?, _ write: Writer
    ) throws(VideoExportFailure) {
        do throws(RenderError) { try decoder.send(packet) } catch { throw .reading(error) }
        while true {
            let bitmap: Bitmap?
            let time: Int64
            do throws(RenderError) {
                if let error = interruption() { throw error }
                guard try decoder.receive() else { return }
                // A frame without any time is not shown.
                guard let timestamp = decoder.timestamp ?? nextTimestamp else { continue }
                lastTimestamp = timestamp
                guard let shifted = part == nil ? timestamp : part?.shifted(timestamp) else {
                    throw .malformed(reason: "a frame at the time stamp \(timestamp)")
                }
                time = shifted
                // x264 takes frames in the order of their times only.
                let isWanted = (part?.contains(timestamp) ?? true) && time > lastTime
                bitmap = isWanted ? try renderer.bitmap(of: decoder.videoFrame()) : nil
            } catch {
                throw .reading(error)
            }
            guard let bitmap else { continue }
            lastTime = time
            try h264.encode(bitmap, at: time, write)
        }
    }

    /// The time stamp of a frame that has none, by that of the one before it; nil if it is not known.
    private var nextTimestamp: Int64? {
        guard let lastTimestamp, frameLength > 0 else { return nil }
        let (next, overflows) = lastTimestamp.addingReportingOverflow(frameLength)
        return overflows ? nil : next
    }
}
