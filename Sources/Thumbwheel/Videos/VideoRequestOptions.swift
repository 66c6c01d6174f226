import ThumbwheelAssets
import ThumbwheelCore
import ThumbwheelPipeline

/// The options of a request for a movie, for an item to play, or for an export session. A new value has the default for
/// every option.
public struct VideoRequestOptions: Sendable {
    /// The version of the asset's video that is requested; see <doc:Semantics#Versions-of-a-picture>.
    public var version = ImageVersion.current
    /// Whether bytes that are not stored locally may be read over the network. If not, a request for such bytes ends as
    /// `.failed(.networkAccessRequired)`; see <doc:Semantics#Network-access>.
    public var isNetworkAccessAllowed = false
    /// Called if bytes come over the network: with the fraction 0 before the first read, with 1 when all that the
    /// request needs has been read, and with the error if it cannot be read. It runs on the executor of the result
    /// handler, before that handler.
    public var progressHandler: ProgressHandler?
    /// The executor that runs the handlers; nil for the manager's executor.
    public var executor: DeliveryExecutor?
    /// A token that cancels the request, and any other requests that were given the same token.
    public var cancellationToken: CancellationToken?

    /// Makes options; by default, only local bytes are read.
    public init() {}

    /// Makes options and lets `configure` change them.
    public init(_ configure: (inout VideoRequestOptions) -> Void) {
        self.init()
        configure(&self)
    }
}
