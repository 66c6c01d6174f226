import ThumbwheelAssets
import ThumbwheelCore
import ThumbwheelPipeline

/// The options of a request for the input of an edit. A new value has the default for every option.
public struct ContentEditingInputRequestOptions: Sendable {
    /// Returns whether the editor can read the adjustment data that an earlier edit has left in the asset, and can
    /// continue that edit:
    ///
    /// - If true, the editor gets the photograph without that edit, together with the adjustment data.
    /// - If false, the editor gets the photograph with all of its edits.
    ///
    /// The closure is called at most once, on a thread of the library, and only if the asset has adjustment data.
    public var canHandleAdjustmentData: @Sendable (AdjustmentData) -> Bool = { _ in false }
    /// The size, in pixels, into which the image for the editor's window has to fit.
    public var displaySize = PixelSize(width: 2048, height: 2048)
    /// Whether bytes that are not stored locally may be fetched over the network.
    public var isNetworkAccessAllowed = false
    /// Called with the progress of a fetch while bytes are being fetched, and with the error if the fetch fails.
    public var progressHandler: ProgressHandler?
    /// The executor that runs the completion handler and the progress handler; nil for the manager's executor.
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
