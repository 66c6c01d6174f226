import ThumbwheelAssets
import ThumbwheelCore
import ThumbwheelRendering
import ThumbwheelScheduling

/// How an image is wanted; the default value has all defaults.
public struct ImageRequestOptions: Sendable {
    /// The images that come, and when.
    public var deliveryMode = DeliveryMode.opportunistic
    /// How exactly the target size is met.
    public var resizeMode = ResizeMode.fast
    /// The part of the image to show, in display orientation; nil for all of it. Only with an exact resize mode.
    public var normalizedCropRect: NormalizedRect?
    /// How far above the target a high-quality decode lies.
    public var sampling = Sampling.standard
    /// Resample in linear light.
    public var isLinear = false
    /// Whether an image smaller than its target is enlarged.
    public var allowsUpscaling = false
    /// The class of urgency; visible work is `.userInitiated`.
    public var priority = RequestPriority.userInitiated
    /// Among requests of equal priority, less goes first: the distance from the edge that a scroll reveals, in rows, or a
    /// deadline. Visible ones are weighed against what they are predicted to cost: one that takes twice as long must be more
    /// urgent by 4 to go first all the same (`ImageManager.Configuration.weighsCost`).
    public var urgency = 0.0
    /// How long after its submission a request that has no final image yet ends with `.deadlineExceeded`, whatever degraded
    /// ones it has had; its work stops, unless others want it. Nil for as long as it takes: `RenderLimits.duration` bounds
    /// the time that a render runs, and not the time that it waits for its turn.
    public var deadline: Duration?
    /// Whether results that are at hand may be delivered on the caller's thread, before the call returns.
    public var allowsImmediateDelivery = false
    /// The executor of the handler; nil for the manager's.
    public var executor: DeliveryExecutor?
    /// Ends the request, and any others that were given the same token.
    public var cancellationToken: CancellationToken?
    /// Whether a cached image that came first may be followed by a preview that is better than it, before the final
    /// image. Otherwise an opportunistic request gets one degraded image at most. See
    /// <doc:Semantics#Degraded-images>.
    public var allowsSecondaryDegradedImage = false
    /// The picture of the asset that is wanted; see <doc:Semantics#Versions-of-a-picture>.
    public var version = ImageVersion.current
    /// Whether bytes that are elsewhere may be fetched. If not, the request ends as
    /// `.failed(.networkAccessRequired)`; see <doc:Semantics#Network-access>.
    public var isNetworkAccessAllowed = false
    /// Called where the result handler runs, before it, and only while bytes are being fetched.
    public var progressHandler: ProgressHandler?

    /// Makes options; the defaults suit cells of a grid.
    public init() {}

    /// Makes options and lets `configure` change them.
    public init(_ configure: (inout ImageRequestOptions) -> Void) {
        self.init()
        configure(&self)
    }

    /// The options that the final image of such a request is rendered with.
    func renderOptions(targetSize: PixelSize, contentMode: ContentMode) -> RenderOptions {
        var options = RenderOptions(
            targetSize: targetSize, contentMode: contentMode, resizeMode: resizeMode,
            quality: deliveryMode == .fast ? .fast : .high,
            normalizedCropRect: resizeMode == .exact ? normalizedCropRect : nil)
        options.sampling = sampling
        options.isLinear = isLinear
        options.allowsUpscaling = allowsUpscaling
        return options
    }
}
