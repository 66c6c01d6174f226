import ThumbwheelAssets
import ThumbwheelCore
import ThumbwheelPipeline

/// The options of a request for the input of an edit. A new value has all defaults.
public struct ContentEditingInputRequestOptions: Sendable {
    /// Says whether the editor can read a recipe and go on with it. If so, the input is the photograph that the recipe applies
    /// to, together with the recipe; otherwise, it is the picture with all its edits. Called at most once, on a thread of the
    /// library's own.
    public var canHandleAdjustmentData: @Sendable (AdjustmentData) -> Bool = { _ in false }
    /// The size, in pixels, that the image for the editor's window lies within.
    public var displaySize = PixelSize(width: 2048, height: 2048)
    /// Whether bytes that are not stored locally may be fetched over the network.
    public var isNetworkAccessAllowed = false
    /// Called with the progress of a fetch, only while bytes are being fetched.
    public var progressHandler: ProgressHandler?
    /// The executor that runs the handler; nil for the manager's executor.
    public var executor: DeliveryExecutor?
    /// A token that cancels the request, and any other requests that were given the same token.
    public var cancellationToken: CancellationToken?

    /// Makes options.
    public init() {}

    /// Makes options and lets `configure` change them.
    public init(_ configure: (inout ContentEditingInputRequestOptions) -> Void) {
        self.init()
        configure(&self)
    }
}
