import ThumbwheelCore
import ThumbwheelPipeline

/// The options of a request to an `AssetResourceManager`. A new value has the default for every option.
public struct AssetResourceRequestOptions: Sendable {
    /// Receives the fraction of the resource's bytes that the request has delivered, from 0 to 1. Setting `stop`
    /// cancels the request.
    public typealias ProgressHandler = @Sendable (_ fraction: Double, _ stop: inout Bool) -> Void

    /// Whether bytes that are not stored locally may be read over the network. If not, a request for such bytes ends
    /// with `.networkAccessRequired`.
    public var isNetworkAccessAllowed = false
    /// Called after each chunk, before the next one is read.
    public var progressHandler: ProgressHandler?
    /// The executor that runs the handlers of the request. Each handler runs only when the one before it has returned.
    public var executor = DeliveryExecutor.concurrent
    /// A token that cancels the request, and any other requests that were given the same token.
    public var cancellationToken: CancellationToken?

    /// Makes options; by default, only local bytes are read.
    public init() {}

    /// Makes options and lets `configure` change them.
    public init(_ configure: (inout AssetResourceRequestOptions) -> Void) {
        self.init()
        configure(&self)
    }
}
