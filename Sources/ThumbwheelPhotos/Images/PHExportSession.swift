import Foundation
import Thumbwheel
import ThumbwheelLocks

/// A video that is ready to be exported, in the place of AVFoundation's `AVAssetExportSession`, which Linux lacks.
///
/// Its properties are set before the export begins. It exports once.
public final class PHExportSession: NSObject, @unchecked Sendable {
    // Unchecked sendability: every access to what can change holds the lock.

    /// The state of a session, with AVFoundation's numbers.
    public enum Status: Int, Sendable {
        /// Nothing has been exported yet.
        case unknown
        /// The export waits.
        case waiting
        /// The export runs.
        case exporting
        /// The file is there.
        case completed
        /// The export has failed.
        case failed
        /// The export was cancelled.
        case cancelled
    }

    private struct State {
        var options = ExportOptions()
        var outputURL: URL?
        var status = Status.unknown
        var progress: Float = 0
        var error: (any Error)?
    }

    /// The session in this library's own spelling.
    public let session: ExportSession
    private let token = CancellationToken()
    private let state = Mutex(State())

    init(_ session: ExportSession) {
        self.session = session
    }

    /// The video.
    public var asset: PHAVAsset { PHAVAsset(session.movie) }
    /// Where the new file is to lie.
    public var outputURL: URL? {
        get { state.withLock { $0.outputURL } }
        set { state.withLock { $0.outputURL = newValue } }
    }
    /// The type of the new file.
    public var outputFileType: ContentType? {
        get { state.withLock { $0.options.contentType } }
        set { state.withLock { $0.options.contentType = newValue ?? .mp4 } }
    }
    /// The part to export, in seconds; nil for the whole video.
    public var timeRange: Range<Double>? {
        get { state.withLock { $0.options.timeRange } }
        set { state.withLock { $0.options.timeRange = newValue } }
    }
    /// Whether the index is in front of the frames.
    public var shouldOptimizeForNetworkUse: Bool {
        get { state.withLock { $0.options.startsEarly } }
        set { state.withLock { $0.options.startsEarly = newValue } }
    }
    /// Whether dates, places and the like are kept.
    public var keepsMetadata: Bool {
        get { state.withLock { $0.options.keepsMetadata } }
        set { state.withLock { $0.options.keepsMetadata = newValue } }
    }

    /// What the export is doing.
    public var status: Status { state.withLock { $0.status } }
    /// The fraction of the export that is done, from 0 to 1.
    public var progress: Float { state.withLock { $0.progress } }
    /// Why the export has failed: a `PHPhotosError`.
    public var error: (any Error)? { state.withLock { $0.error } }

    /// Exports the video to `outputURL`. The handler is called once, and finds the end in `status`.
    public func exportAsynchronously(completionHandler handler: @escaping @Sendable () -> Void) {
        let order = state.withLock { state -> (String, ExportOptions)? in
            guard state.status == .unknown, let url = state.outputURL else { return nil }
            state.status = .waiting
            return (url.path, state.options)
        }
        guard let (path, options) = order else {
            state.withLock { state in
                guard state.status == .unknown else { return }
                state.status = .failed
                state.error = PHPhotosError.of(ExportError.invalidOptions(reason: "an export without a URL"))
            }
            return Self.run(handler)
        }
        var own = options
        own.cancellationToken = token
        own.progressHandler = { [weak self] fraction, _ in
            self?.state.withLock { state in
                state.status = .exporting
                state.progress = Float(fraction)
            }
        }
        session.export(toFile: path, options: own) { [self] result in
            state.withLock { state in
                switch result {
                case .success:
                    state.status = .completed
                    state.progress = 1
                case .failure(.cancelled): state.status = .cancelled
                case .failure(let error):
                    state.status = .failed
                    state.error = PHPhotosError.of(error)
                }
            }
            handler()
        }
    }

    /// Cancels the export, also one that has not begun.
    public func cancelExport() { token.cancel() }

    private static func run(_ handler: @escaping @Sendable () -> Void) { DeliveryExecutor.concurrent.run(handler) }
}
