import ThumbwheelAssets
import ThumbwheelCore
import ThumbwheelLocks
import ThumbwheelPipeline

/// Reads the unchanged bytes of assets' resources in chunks, and passes them to a handler, a sequence or a file.
///
/// A request has one chunk of 256 KiB in memory, whatever the size of the resource. No call waits for bytes: they are
/// read on the library's own threads. See <doc:Semantics#Resource-data>.
public final class AssetResourceManager: Sendable {
    private struct State {
        var requests: [UInt64: ResourceRequest] = [:]
        var lastNumber: UInt64 = 0
    }

    /// The manager that all parts of a process can share.
    public static let `default` = AssetResourceManager()

    private let state = Mutex(State())

    /// Makes a manager; this starts no thread.
    public init() {}

    /// Requests the bytes of a resource in chunks.
    ///
    /// - Parameters:
    ///   - resource: The resource, for instance one of `AssetResource.assetResources(for:)`.
    ///   - options: Network access, progress, executor and token.
    ///   - dataReceivedHandler: Receives the chunks in order. The next chunk is read when the handler has returned.
    ///   - completionHandler: Called once, after the last chunk; the error is nil if all bytes have come.
    /// - Returns: The identifier that cancels the request.
    @discardableResult
    public func requestData(
        for resource: AssetResource, options: AssetResourceRequestOptions = AssetResourceRequestOptions(),
        dataReceivedHandler: @escaping @Sendable ([UInt8]) -> Void,
        completionHandler: @escaping @Sendable (AssetResourceError?) -> Void
    ) -> AssetResourceDataRequestID {
        start(
            resource, into: HandlerSink(handler: dataReceivedHandler), on: options.executor, options, completionHandler)
    }

    /// Returns the bytes of a resource as a sequence of chunks. Each chunk is read when it is asked for.
    public func data(
        for resource: AssetResource, options: AssetResourceRequestOptions = AssetResourceRequestOptions()
    ) -> AssetResourceChunks {
        AssetResourceChunks(resource, options)
    }

    /// Writes the bytes of a resource to a file.
    ///
    /// The bytes go to a temporary file in the same folder. That file is flushed to the disk and then replaces whatever
    /// is at `path`. If the request fails or is cancelled, no part of the new file is left, and a file that was there
    /// before stays.
    ///
    /// - Returns: The identifier that cancels the request.
    @discardableResult
    public func writeData(
        for resource: AssetResource, toFile path: String,
        options: AssetResourceRequestOptions = AssetResourceRequestOptions(),
        completionHandler: @escaping @Sendable (AssetResourceError?) -> Void
    ) -> AssetResourceDataRequestID {
        start(resource, into: FileSink(path: path), on: .inline, options, completionHandler)
    }

    /// Writes the bytes of a resource to a file, and returns when the finished file is at its path. Cancelling the task
    /// cancels the request.
    ///
    /// - Throws: `AssetResourceError`. In that case no part of the file is left.
    public func writeData(
        for resource: AssetResource, toFile path: String,
        options: AssetResourceRequestOptions = AssetResourceRequestOptions()
    ) async throws(AssetResourceError) {
        let error: AssetResourceError? = await withTaskToken { token, resume in
            let id = writeData(for: resource, toFile: path, options: options, completionHandler: resume)
            token.onCancel { [weak self] in self?.cancelDataRequest(id) }
        }
        if let error { throw error }
    }

    /// Cancels a request, which then completes with `.cancelled`; does nothing if the request has ended.
    public func cancelDataRequest(_ id: AssetResourceDataRequestID) {
        state.withLock { $0.requests[id.rawValue] }?.cancel()
    }

    /// The number of requests that have not ended.
    package var requestCount: Int { state.withLock { $0.requests.count } }

    private func start(
        _ resource: AssetResource, into sink: any ResourceSink, on sinkExecutor: DeliveryExecutor,
        _ options: AssetResourceRequestOptions, _ completion: @escaping @Sendable (AssetResourceError?) -> Void
    ) -> AssetResourceDataRequestID {
        let number = state.withLock { state in
            state.lastNumber += 1
            return state.lastNumber
        }
        let request = ResourceRequest(into: sink, on: sinkExecutor, options: options) { [self] error in
            _ = state.withLock { $0.requests.removeValue(forKey: number) }
            completion(error)
        }
        state.withLock { $0.requests[number] = request }
        request.start(ResourceReading(resource, isNetworkAccessAllowed: options.isNetworkAccessAllowed))
        return AssetResourceDataRequestID(rawValue: number)
    }
}
