import ThumbwheelAssets
import ThumbwheelCore
import ThumbwheelFormats
import ThumbwheelRendering

/// A video that is ready to be exported: copied into a file of another type, cut, or encoded anew and smaller.
///
/// A session can export several times, also at once. Exports run on threads of their own. The number of exports that
/// run at once is the number of processors that the process may use, and exports that run at once share these processors.
/// Further exports wait for their turn, and a waiting export that is cancelled ends at once. The memory of an export
/// counts against the memory budget of the manager. See <doc:Semantics#Moving-pictures>.
public struct ExportSession: Sendable {
    /// The video.
    public let movie: Movie
    /// The way in which the frames are treated: copied or encoded anew.
    public let preset: ExportPreset
    private let limits: RenderLimits
    private let memory: ExportMemory

    init(_ movie: Movie, _ preset: ExportPreset, limits: RenderLimits, memory: ExportMemory) {
        self.memory = memory
        self.movie = movie
        self.preset = preset
        self.limits = limits
    }

    /// Exports the video into a file, and returns when the finished file is at its path.
    ///
    /// The bytes go to a temporary file in the same folder. That file is flushed to the disk and then replaces whatever
    /// is at `path`. If the export fails or is cancelled, no part of the new file is left, and a file that was there
    /// before stays. Cancelling the task cancels the export, within one packet or frame.
    ///
    /// - Throws: `ExportError`, `.cancelled` if the task or the token was cancelled.
    @discardableResult
    public func export(
        toFile path: String, options: ExportOptions = ExportOptions()
    ) async throws(ExportError) -> VideoExportReport {
        let result: Result<VideoExportReport, ExportError> = await withTaskToken { token, resume in
            export(toFile: path, options: options, stoppingBy: token, completionHandler: resume)
        }
        return try result.get()
    }

    /// Exports the video into a file, as `export(toFile:options:)` does, and calls a handler at the end. The token in
    /// the options cancels the export.
    ///
    /// - Parameters:
    ///   - path: The path of the new file.
    ///   - options: The type of the file, the part to export, metadata, progress and the token that cancels.
    ///   - completionHandler: Called once, on a thread of the library. The handler is allowed to block that thread.
    public func export(
        toFile path: String, options: ExportOptions = ExportOptions(),
        completionHandler: @escaping @Sendable (Result<VideoExportReport, ExportError>) -> Void
    ) {
        export(
            toFile: path, options: options, stoppingBy: CancellationToken(), completionHandler: completionHandler)
    }

    private func export(
        toFile path: String, options: ExportOptions, stoppingBy token: CancellationToken,
        completionHandler: @escaping @Sendable (Result<VideoExportReport, ExportError>) -> Void
    ) {
        let registration = options.cancellationToken?.onCancel { token.cancel() }
        let state = ExportState()
        let finish: @Sendable (Result<VideoExportReport, ExportError>) -> Void = { result in
            if let registration { options.cancellationToken?.removeHandler(registration) }
            // A handler that blocks must not keep other exports from running.
            BlockingThreads.handlers.run { completionHandler(result) }
        }
        let waiting = token.onCancel {
            if state.endWaiting() { finish(.failure(.cancelled)) }
        }
        BlockingThreads.exports.run {
            guard state.begin() else { return }
            token.removeHandler(waiting)
            finish(Result { () throws(ExportError) in try run(to: path, options, token) })
        }
    }

    private func run(
        to path: String, _ options: ExportOptions, _ token: CancellationToken
    ) throws(ExportError) -> VideoExportReport {
        try check(options)
        guard !token.isCancelled else { throw .cancelled }
        let output: ExportFile
        do throws(UnfinishedFile.Failure) {
            output = try ExportFile(path: path)
        } catch {
            throw .unwritable(path: path, code: error.code)
        }
        do throws(VideoExportFailure) {
            let report = try ExportShare.run { threadCount throws(VideoExportFailure) in
                let byteCount = ExportMemory.byteCount(of: movie.contents.head, frames, threadCount: threadCount)
                return try memory.reserving(byteCount) { () throws(VideoExportFailure) in
                    try VideoExporters.export(job(for: output, options, token, threadCount: threadCount))
                }
            }
            guard !token.isCancelled else { throw .reading(.cancelled) }
            try output.finish()
            return report
        } catch {
            output.abandon()
            throw token.isCancelled ? .cancelled : ExportError(error, path: path)
        }
    }

    private func job(
        for output: ExportFile, _ options: ExportOptions, _ token: CancellationToken, threadCount: Int
    ) -> VideoExporters.Job {
        let progress = ExportProgress(options.progressHandler, stoppingBy: token)
        let bytes: any ByteSource =
            movie.resource.isLocallyAvailable ? movie.bytes : ExportSource(movie.bytes, token: token)
        return VideoExporters.Job(
            bytes: bytes, head: movie.contents.head, output: output,
            settings: VideoExportSettings(
                frames: frames, contentType: options.contentType, timeRange: options.timeRange,
                keepsMetadata: options.keepsMetadata, startsEarly: options.startsEarly),
            limits: limits, threadCount: threadCount, progress: { progress.report($0) },
            interruption: { token.isCancelled ? .cancelled : nil })
    }

    private var frames: VideoExportSettings.Frames {
        switch preset {
        case .unchanged: .unchanged
        case .h264(let size, let quality): .h264(fitting: size, quality: quality)
        }
    }

    private func check(_ options: ExportOptions) throws(ExportError) {
        let types: [ContentType] = [.mp4, .quickTime, .matroska, .webM]
        guard types.contains(options.contentType) else {
            throw .unsupported(reason: "no file of the type \(options.contentType.rawValue) is written")
        }
        if let range = options.timeRange {
            guard range.lowerBound.isFinite, range.upperBound.isFinite, range.lowerBound >= 0, !range.isEmpty else {
                throw .invalidOptions(reason: "a part from \(range.lowerBound) to \(range.upperBound) seconds")
            }
            let duration = movie.duration
            guard duration == 0 || range.lowerBound < duration else {
                throw .invalidOptions(
                    reason: "a part from \(range.lowerBound) seconds on, of a video of \(duration) seconds")
            }
        }
        if case .h264(let size, _) = preset, size.isEmpty, size != .maximum {
            throw .invalidOptions(reason: "frames of \(size.width)×\(size.height) pixels")
        }
    }
}
