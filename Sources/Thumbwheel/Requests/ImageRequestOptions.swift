import ThumbwheelAssets
import ThumbwheelCore
import ThumbwheelRendering
import ThumbwheelScheduling

/// The options of an image request. A new value has the default for every option.
public struct ImageRequestOptions: Sendable {
    /// Which images are delivered, and when.
    public var deliveryMode = DeliveryMode.opportunistic
    /// How closely the size of the image has to match the target size.
    public var resizeMode = ResizeMode.fast
    /// The part of the image to show, in display orientation; nil for all of it. It applies only with an exact resize
    /// mode.
    public var normalizedCropRect: NormalizedRect?
    /// The size at which a photograph is decoded for an image of high quality, compared with the target size.
    public var sampling = Sampling.standard
    /// Whether the image is resampled in linear light, and not in gamma-encoded values.
    public var isLinear = false
    /// The range of light and colours that the pixels can represent. It determines the pixel format of all images of
    /// the request, including degraded images. Requests for files ignore it. See
    /// <doc:Semantics#Pixels-in-linear-light>.
    public var pixelRange = PixelRange.standard
    /// The time, in seconds from the beginning of a video, at which the video is shown. The image is the key frame
    /// nearest to this time, if it is at most a tenth of the video away from it and at most a second, or a twentieth
    /// of the video. Otherwise the image is the frame at the time, which is decoded from the key frame before it, as
    /// far as 300 frames of 1920×1080 or 8 MiB reach. If nil, the image is the video's poster, which is the first key
    /// frame that is neither black nor of one colour. Requests for photographs ignore the time.
    public var frameTime: Double?
    /// Whether an image smaller than its target is enlarged.
    public var allowsUpscaling = false
    /// The priority of the request; requests for visible images use `.userInitiated`.
    public var priority = RequestPriority.userInitiated
    /// The place among requests of equal priority: a request with a smaller value is served first. The caller chooses
    /// the meaning of the number, for example the distance in rows from the edge of the screen at which new cells
    /// appear, or the time at which the image is needed.
    ///
    /// For requests with the priority `.userInitiated`, the predicted time of the work counts too, unless
    /// `ImageManager.Configuration.weighsCost` is false. Each doubling of the predicted time counts as much as adding 4
    /// to this number, which suits distances in rows.
    public var urgency = 0.0
    /// The time that a request may take, from its submission to its final image. After that time the request ends with
    /// `.deadlineExceeded`, even if it has had degraded images. Its work stops unless other requests need it. If nil,
    /// the request may take any time. `RenderLimits.duration` limits only the time that a render runs, not the time
    /// that it waits for its turn.
    public var deadline: Duration?
    /// Whether results that are already available may be delivered on the caller's thread, before the call returns.
    public var allowsImmediateDelivery = false
    /// The executor that runs the result handler and the progress handler; nil for the manager's executor.
    public var executor: DeliveryExecutor?
    /// A token that cancels the request, and any other requests that were given the same token.
    public var cancellationToken: CancellationToken?
    /// Whether a request may get a second, larger degraded image before the final one. Usually the second degraded
    /// image is the image that a `.fast` request would get. If the first degraded image came from the cache, the second
    /// can be a preview from the file. If this option is false, a request with the delivery mode `.opportunistic` gets
    /// one degraded image at most. See <doc:Semantics#Degraded-images>.
    public var allowSecondaryDegradedImage = false
    /// The version of the asset's picture that is requested; see <doc:Semantics#Versions-of-a-picture>.
    public var version = ImageVersion.current
    /// Whether bytes that are not stored locally may be fetched over the network. If not, a request that needs such
    /// bytes ends as `.failed(.networkAccessRequired)`; see <doc:Semantics#Network-access>.
    public var isNetworkAccessAllowed = false
    /// For whom the images of the request are cached, if several share the memory budget; nil for nobody. If requests of
    /// several owners wait for one render, its image counts for the first of them. Images that caching managers prepare
    /// are nobody's. See <doc:Semantics#Shares-of-the-budget>.
    public var budgetShare: BudgetShare?
    /// Called with the progress of a fetch while bytes are being fetched, and with the error if the fetch fails. It
    /// runs on the executor of the result handler, before that handler.
    public var progressHandler: ProgressHandler?

    /// Makes options; the defaults suit cells of a grid.
    public init() {}

    /// Makes options and lets `configure` change them.
    public init(_ configure: (inout ImageRequestOptions) -> Void) {
        self.init()
        configure(&self)
    }

    /// Makes the render options for the final image of a request with these options.
    ///
    /// - Parameter isFile: whether the image is delivered as an encoded file. Such a file always has 8 bits for each
    ///   channel, so `pixelRange` is ignored.
    func renderOptions(targetSize: PixelSize, contentMode: ContentMode, isFile: Bool) -> RenderOptions {
        var options = RenderOptions(
            targetSize: targetSize, contentMode: contentMode, resizeMode: resizeMode,
            quality: deliveryMode == .fast ? .fast : .high,
            normalizedCropRect: resizeMode == .exact ? normalizedCropRect : nil)
        options.sampling = sampling
        options.isLinear = isLinear
        options.pixelRange = isFile ? .standard : pixelRange
        options.allowsUpscaling = allowsUpscaling
        options.frameTime = frameTime
        return options
    }
}
