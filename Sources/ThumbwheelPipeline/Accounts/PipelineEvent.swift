import ThumbwheelAssets
import ThumbwheelCore
import ThumbwheelScheduling

/// Something that happened in a manager, for display on a time line. Requests have the same identifiers as in their
/// results. Each render has a number of its own.
public struct PipelineEvent: Sendable, Equatable {
    /// The kinds of events.
    public enum Kind: Sendable, Equatable {
        /// A request was made.
        case requestSubmitted(ImageRequestID, asset: AssetIdentifier, priority: RequestPriority)
        /// The request was invalid and was refused: it counts as submitted and as failed.
        case requestRefused(ImageRequestID)
        /// The request joined a render that had been asked for already.
        case requestCoalesced(ImageRequestID)
        /// The request got a degraded image.
        case requestDegraded(ImageRequestID)
        /// The request got its terminal result.
        case requestEnded(ImageRequestID, RequestEnd)
        /// A worker began a render.
        case renderStarted(Render)
        /// A render was told to stop, for one of these reasons:
        ///
        /// - Visible work needs its worker or its memory.
        /// - It has run for too long.
        /// - No request and no caching manager wants its image any more.
        /// - Its decode begins again, to serve one more rendition.
        ///
        /// A `renderEnded` event still follows.
        case renderToldToStop(number: UInt64, worker: Int)
        /// A worker ended a render.
        case renderEnded(number: UInt64, worker: Int, RenderEnd)
        /// The cache evicted an image of `byteCount` bytes.
        case evicted(byteCount: Int)
        /// Queue lengths and byte counts have changed.
        case gauges(Gauges)
    }

    /// The ways in which a request ends.
    public enum RequestEnd: String, Sendable, CaseIterable {
        /// The request ended with a final image.
        case delivered
        /// The request ended with an error other than `.overloaded`.
        case failed
        /// The request was cancelled.
        case cancelled
        /// The request ended with `.overloaded`, because too many requests were waiting.
        case shed
    }

    /// The ways in which a render ends.
    public enum RenderEnd: String, Sendable, CaseIterable {
        /// The render ended with an image.
        case finished
        /// The render ended with an error.
        case failed
        /// The render was cut short, because no request and no caching manager wanted its image any more.
        case stopped
        /// The render was cut short although one of its images is still wanted, for example to make way for visible
        /// work. It is queued again.
        case preempted
    }

    /// A render that a worker has begun.
    public struct Render: Sendable, Equatable {
        /// The kinds of images that renders make.
        public enum Kind: String, Sendable, CaseIterable {
            /// A degraded image, from the preview embedded in the file or from the photograph's local proxy (a small
            /// local copy).
            case preview
            /// The final image of a request with the delivery mode `.fast`.
            case fast
            /// The final image of a request whose delivery mode is not `.fast`.
            case high
            /// The file of the asset, unchanged.
            case original

            init(_ kind: RenditionKey.Kind) {
                self =
                    switch kind {
                    case .preview: .preview
                    case .fast: .fast
                    case .high: .high
                    case .original: .original
                    }
            }
        }

        /// The render's number. The event of its end has the same number.
        public let number: UInt64
        /// The worker's number. The first worker has the number 0.
        public let worker: Int
        /// The asset that is rendered.
        public let asset: AssetIdentifier
        /// The kind of image that is made.
        public let kind: Kind
        /// The target size in pixels.
        public let targetSize: PixelSize
        /// The priority that the render started with: that of the most urgent request or caching manager that wants its
        /// image.
        public let priority: RequestPriority

        package init(
            number: UInt64, worker: Int, asset: AssetIdentifier, kind: Kind, targetSize: PixelSize,
            priority: RequestPriority
        ) {
            self.number = number
            self.worker = worker
            self.asset = asset
            self.kind = kind
            self.targetSize = targetSize
            self.priority = priority
        }
    }

    /// Queue lengths and byte counts at the time of a `gauges` event. They stay the same until the next `gauges` event.
    public struct Gauges: Sendable, Equatable {
        /// The number of renders that wait for a worker.
        public var queuedRenderCount = 0
        /// The number of renders that run on a worker.
        public var runningRenderCount = 0
        /// The number of requests that have not ended.
        public var liveRequestCount = 0
        /// Bytes of the memory budget that cached images take, as bitmaps or as encoded files. Bitmaps that are packed
        /// (compressed without loss) do not count.
        public var cachedByteCount = 0
        /// Bytes of the memory budget that are reserved for running renders, and for packing a bitmap into fewer bytes.
        public var renderingByteCount = 0
    }

    /// The time of the event.
    public let time: MonotonicTime
    /// The kind of the event, with its data.
    public let kind: Kind
}
