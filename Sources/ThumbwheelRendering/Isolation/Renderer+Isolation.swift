import ThumbwheelCore
import ThumbwheelFormats

extension Renderer {
    /// Renders images of a file in this process if only this library's own decoders are needed, and otherwise in a
    /// decoder process.
    ///
    /// Each process reads the header of the file itself:
    /// - A decoder process does not get the facts that this process has read. It reads the same facts from the same
    ///   file, so the image is the same as if this process had made it.
    /// - This process uses no facts that a decoder process has found, because a malicious file may have taken control
    ///   of that process.
    func renderIsolated(
        _ work: DecodeJob.Work, of source: any ByteSource, head: ImageHead?, limits: RenderLimits, makesThumbHash: Bool,
        cancellation: CancellationToken?
    ) throws(RenderError) -> [Result<RenderedImage, RenderError>] {
        guard let isolation else { preconditionFailure("a renderer without decoder processes") }
        let head = try Self.head(of: source, known: head)
        let isTriedInProcess = !isolation.takes(head.contentType) || head.shownCover != nil
        let fence = DecoderFence()
        if isTriedInProcess {
            let results = Result { () throws(RenderError) in
                try attemptInProcess(
                    work, source, head: head, limits: limits, makesThumbHash: makesThumbHash,
                    cancellation: cancellation, fence: fence)
            }
            if !fence.wasReached { return try results.get() }
        }
        do throws(RenderError) {
            return try isolation.pool.run(
                work, of: source, limits: limits, makesThumbHash: makesThumbHash, assistants: assistants,
                cancellation: cancellation)
        } catch  where error.leavesCover {
            // The program of the decoder processes may have no decoder of videos. The cover picture then stands for
            // the frames, as without a decoder.
            guard case .images(let options) = work, let cover = head.videoCover else { throw error }
            return try renderCover(
                cover, in: source, options: options, limits: limits, makesThumbHash: makesThumbHash,
                cancellation: cancellation)
        }
    }

    private func attemptInProcess(
        _ work: DecodeJob.Work, _ source: any ByteSource, head: ImageHead, limits: RenderLimits, makesThumbHash: Bool,
        cancellation: CancellationToken?, fence: DecoderFence
    ) throws(RenderError) -> [Result<RenderedImage, RenderError>] {
        switch work {
        case .images(let options):
            return try renderInProcess(
                source, head: head, options: options, limits: limits, makesThumbHash: makesThumbHash,
                cancellation: cancellation, fence: fence)
        case .preview(let options):
            return [
                .success(
                    try renderPreviewInProcess(
                        source, head: head, options: options, limits: limits, makesThumbHash: makesThumbHash,
                        cancellation: cancellation, fence: fence))
            ]
        case .reading: preconditionFailure("a renderer makes images")
        }
    }
}
