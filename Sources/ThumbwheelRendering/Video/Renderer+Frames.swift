import ThumbwheelCore
import ThumbwheelFormats

extension Renderer {
    /// Renders images of a video's frames. The video is opened once, and each frame is decoded once, whatever the
    /// number of images that show it. If the frames cannot be decoded, the images are made from the cover picture in
    /// the file, if there is one.
    ///
    /// - Parameter options: the options of the images, all of the same quality and with the same `pixelRange` (range of
    ///   light and colours).
    /// - Returns: an image for each of the options, in the same order.
    func renderFrames(
        of source: any ByteSource, head: ImageHead, options: [RenderOptions], limits: RenderLimits,
        guardian: DecodeGuard, makesThumbHash: Bool
    ) throws(RenderError) -> [RenderedImage] {
        do throws(RenderError) {
            let video = try VideoReading(source, limits: limits, guardian: guardian)
            var images = [RenderedImage?](repeating: nil, count: options.count)
            for time in Self.times(of: options) {
                let shown = options.indices.filter { options[$0].frameTime == time }
                let made = try RenderJob.run(
                    source, head: head.ofFrames, options: shown.map { options[$0] }, limits: limits,
                    guardian: guardian, makesThumbHash: makesThumbHash && time == nil, video: video)
                for (index, image) in zip(shown, made) { images[index] = image }
            }
            return images.map { $0! }
        } catch  where error.isDamage || error == .unsupportedFormat {
            guard let cover = head.videoCover else { throw error }
            return try renderCover(
                cover, in: source, options: options, limits: limits, makesThumbHash: makesThumbHash,
                cancellation: guardian.cancellation
            ).map { result throws(RenderError) in try result.get() }
        }
    }

    /// The times of the frames that the options ask for, each once and in increasing order, so that the reader seldom
    /// steps back. If an option asks for the poster, the list begins with nil. The poster is the frame that represents
    /// the video. It is chosen by its content, so it has no time.
    private static func times(of options: [RenderOptions]) -> [Double?] {
        let times = Set(options.compactMap(\.frameTime)).sorted()
        return options.contains { $0.frameTime == nil } ? [nil] + times : times
    }
}
