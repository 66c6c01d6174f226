import ThumbwheelAssets
import ThumbwheelCore
import ThumbwheelFormats
import ThumbwheelPipeline
import ThumbwheelRendering

/// A fetch of some byte ranges of a file: those from which one rendition is made, or those that hold the file's
/// embedded previews.
struct RangeFetch: Sendable {
    private let assignment: FetchAssignment
    private let provider: any ResourceProvider
    private let limits: RenderLimits
    private let usesEmbeddedPreviews: Bool
    private let isolation: RenderIsolation?
    private let progress: @Sendable (Double) -> Void

    init(
        _ assignment: FetchAssignment, _ provider: any ResourceProvider, _ configuration: ImageManager.Configuration,
        isolation: RenderIsolation?, progress: @escaping @Sendable (Double) -> Void
    ) {
        self.assignment = assignment
        self.provider = provider
        limits = configuration.limits
        usesEmbeddedPreviews = configuration.usesEmbeddedPreviews
        self.isolation = isolation
        self.progress = progress
    }

    /// Fetches the ranges on a thread that is allowed to block.
    ///
    /// - Returns: nil if the rendition needs the whole file.
    func run() async -> FetchOutcome? {
        await withCheckedContinuation { continuation in
            BlockingThreads.reads.run { continuation.resume(returning: fetch()) }
        }
    }

    private func fetch() -> FetchOutcome? {
        do throws(RenderError) {
            guard let gatherer = try gather() else {
                return isOfVideo ? .failed(.rendering(.unsupportedFormat)) : nil
            }
            progress(1)
            return .bytes(
                FetchedBytes(
                    source: gatherer.gathered(isLast: assignment.extent == .alternatives),
                    byteCount: gatherer.gatheredByteCount))
        } catch .source(let error) {
            return .failed(ImageRequestError(.source(error)))
        } catch  where isOfVideo {
            // A video is never fetched as a whole, and its decode would fail in the same way.
            return .failed(ImageRequestError(error))
        } catch {
            // The ranges could not be determined, for example because the file does not match its header. Nil makes the
            // caller fetch the whole file, and a decode of the whole file finds out how much of it can be shown.
            return nil
        }
    }

    private var isOfVideo: Bool { assignment.work.asset.mediaType == .video }

    private func gather() throws(RenderError) -> RangeGatherer? {
        let source: any ByteSource
        do throws(ByteSourceError) { source = try provider.open() } catch { throw .source(error) }
        let byteCount = max(1, source.byteCount)
        let gatherer = RangeGatherer(
            source, byteLimit: limits.byteCount, cancellation: assignment.token,
            progress: { [progress] in progress(Double($0) / Double(byteCount)) })
        guard let head = assignment.work.asset.head(of: assignment.subject.version) else { return nil }
        switch assignment.extent {
        case .whole: return nil
        case .alternatives:
            let isEnough = try RemoteReading.gather(
                head, options: RenderOptions(targetSize: .maximum), limits: limits, from: gatherer,
                readsAlternatives: true, isolation: isolation, cancellation: assignment.token)
            guard isEnough else { return nil }
        case .preview:
            try RemoteReading.gatherPreview(head, from: gatherer)
        case .rendition(var options):
            options.usesEmbeddedPreviews = usesEmbeddedPreviews
            let isEnough = try RemoteReading.gather(
                head, options: options, limits: limits, from: gatherer, isolation: isolation,
                cancellation: assignment.token)
            guard isEnough else { return nil }
        }
        return gatherer
    }
}
