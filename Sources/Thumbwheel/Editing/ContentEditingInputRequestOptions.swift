import ThumbwheelAssets
import ThumbwheelCore
import ThumbwheelPipeline

/// The options of a request for the input of an edit. A new value has the default for every option.
public struct ContentEditingInputRequestOptions: Sendable {
    /// Returns whether the editor can read the recipe of an earlier edit and continue that edit. If it can, the input
    /// is the photograph without that edit, together with the recipe. If it cannot, the input is the picture with all
    /// its edits. Called at most once, on a thread of the library.
    public var canHandleAdjustmentData: @Sendable (AdjustmentData) -> Bool = { _ in false }
    /// The size, in pixels, into which the image for the editor's window has to fit.
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
