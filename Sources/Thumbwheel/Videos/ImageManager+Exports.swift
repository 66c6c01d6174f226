import ThumbwheelAssets
import ThumbwheelPipeline
import ThumbwheelRendering

extension ImageManager {
    /// Requests a session that exports a video. Nothing is written before the session is told to.
    ///
    /// The program that uses this library must have installed an exporter (`VideoExporting` of `ThumbwheelMedia`). An
    /// export decodes the video in this process. So a manager whose configuration has files decoded in other processes
    /// (`isolation`) makes no sessions.
    ///
    /// - Parameters:
    ///   - asset: The asset. If it is not a video, if no exporter is installed, or if the configuration's `isolation`
    ///     is not `.none`, the request ends as `.failed(.unsupportedMedia)`.
    ///   - preset: The way in which exports treat the frames: copy them or encode them anew.
    ///   - options: The version, network access, progress, the executor and the token that cancels. They concern the
    ///     request, and not the exports.
    ///   - resultHandler: Called once.
    /// - Returns: The identifier that cancels the request.
    @discardableResult
    public func requestExportSession(
        for asset: Asset, preset: ExportPreset, options: VideoRequestOptions = VideoRequestOptions(),
        resultHandler: @escaping @Sendable (MediaResult<ExportSession>) -> Void
    ) -> ImageRequestID {
        let isPossible = VideoExporters.isInstalled && configuration.isolation == .none
        return requestMedia(of: asset, options, isPossible: isPossible, resultHandler) {
            [limits = configuration.limits, memory = ExportMemory(of: pipeline)] in
            ExportSession($0, preset, limits: limits, memory: memory)
        }
    }

    /// Returns a session that exports a video. Cancelling the task cancels the request.
    ///
    /// - Parameters:
    ///   - asset: The asset.
    ///   - preset: The way in which exports treat the frames: copy them or encode them anew.
    ///   - options: The options of the request.
    /// - Throws: `ImageRequestError`, `.cancelled` if the task or the request was cancelled.
    public func exportSession(
        for asset: Asset, preset: ExportPreset, options: VideoRequestOptions = VideoRequestOptions()
    ) async throws(ImageRequestError) -> ExportSession {
        try await media {
            requestExportSession(for: asset, preset: preset, options: options, resultHandler: $0)
        }
    }
}
