import ThumbwheelCore
import ThumbwheelFormats

extension Renderer {
    /// Renders images of a video's frames. The video is opened once, and each frame is decoded once, whatever the
    /// number of images that show it. Where one frame is shown at several times, the images of the first time are
    /// copied for the others. If a frame cannot be decoded, its images are made from the cover picture in the
    /// file, if there is one; otherwise they fail, and the images of other frames do not.
    ///
    /// - Parameter options: the options of the images, all of the same quality and with the same `pixelRange` (range of
    ///   light and colours).
    /// - Returns: the result for each of the options, in the same order.
    /// - Throws: an error that concerns all of the images.
    func renderFrames(
        of source: any ByteSource, head: ImageHead, options: [RenderOptions], limits: RenderLimits,
        guardian: DecodeGuard, makesThumbHash: Bool
    ) throws(RenderError) -> [Result<RenderedImage, RenderError>] {
        let video: VideoReading
        do throws(RenderError) {
            video = try VideoReading(source, limits: limits, guardian: guardian)
        } catch  where error.leavesCover {
            guard let cover = head.videoCover else { throw error }
            return try renderCover(
                cover, in: source, options: options, limits: limits, makesThumbHash: makesThumbHash,
                cancellation: guardian.cancellation)
        }
        var results = [Result<RenderedImage, RenderError>?](repeating: nil, count: options.count)
        var images = FrameImages()
        for time in Self.times(of: options) {
            let shown = options.indices.filter { options[$0].frameTime == time }
            let made: [Result<RenderedImage, RenderError>]
            do throws(RenderError) {
                let isRepeated = if let time { try video.repeatsFrame(at: time) } else { false }
                if !isRepeated { images = FrameImages() }
                made = try images.images(for: shown.map { options[$0] }) { options throws(RenderError) in
                    try RenderJob.run(
                        source, head: head.ofFrames, options: options, limits: limits, guardian: guardian,
                        makesThumbHash: makesThumbHash && time == nil, video: video)
                }.map { .success($0) }
                // A poster with a hash may have been made from more pixels than a frame at a time is.
                if time == nil { images = FrameImages() }
            } catch {
                guard error.concernsOneFrame else { throw error }
                if error.leavesCover, let cover = head.videoCover {
                    made = try renderCover(
                        cover, in: source, options: shown.map { options[$0] }, limits: limits,
                        makesThumbHash: makesThumbHash && time == nil, cancellation: guardian.cancellation)
                } else {
                    made = shown.map { _ in .failure(error) }
                }
            }
            for (index, result) in zip(shown, made) { results[index] = result }
        }
        return results.map { $0! }
    }

    /// The times of the frames that the options ask for, each once and in increasing order, so that the reader seldom
    /// steps back. If an option asks for the poster, the list begins with nil. The poster is the frame that represents
    /// the video. It is chosen by its content, so it has no time.
    private static func times(of options: [RenderOptions]) -> [Double?] {
        let times = Set(options.compactMap(\.frameTime)).sorted()
        return options.contains { $0.frameTime == nil } ? [nil] + times : times
    }
}

extension RenderError {
    /// Whether the cover picture in the file stands for a frame that failed with this error.
    var leavesCover: Bool {
        switch self {
        case .truncated, .malformed, .unsupportedFormat, .unavailable: true
        default: false
        }
    }

    /// Whether another frame of the same video may be shown in spite of this error.
    fileprivate var concernsOneFrame: Bool { leavesCover || self == .limitExceeded(limit: .bytes) }
}
