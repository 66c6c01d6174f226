import ThumbwheelAssets
import ThumbwheelCore
import ThumbwheelScheduling

/// Something that happened in a manager, for those who want to see it on a time line; numbers are those that results carry.
public struct PipelineEvent: Sendable, Equatable {
    /// The kinds of events.
    public enum Kind: Sendable, Equatable {
        /// A request was made.
        case requestSubmitted(ImageRequestID, asset: AssetIdentifier, priority: RequestPriority)
        /// The request cannot be one: it counts as submitted and as failed.
        case requestRefused(ImageRequestID)
        /// The request joined a render already asked for.
        case requestCoalesced(ImageRequestID)
        /// The request got a degraded image.
        case requestDegraded(ImageRequestID)
        /// The request got its terminal result.
        case requestEnded(ImageRequestID, RequestEnd)
        /// A worker began a render.
        case renderStarted(Render)
        /// The render is to make way, or nobody wants it any more; it still ends.
        case renderToldToStop(number: UInt64, worker: Int)
        /// A worker ended a render.
        case renderEnded(number: UInt64, worker: Int, RenderEnd)
        /// The cache gave up an image of so many bytes.
        case evicted(byteCount: Int)
        /// Queue lengths and sizes have changed.
        case gauges(Gauges)
    }

    /// The ways in which a request ends.
    public enum RequestEnd: String, Sendable, CaseIterable {
        /// With a final image.
        case delivered
        /// With an error.
        case failed
        /// As cancelled.
        case cancelled
        /// With `.overloaded`, because too many were waiting.
        case shed
    }

    /// The ways in which a render ends.
    public enum RenderEnd: String, Sendable, CaseIterable {
        /// With an image.
        case finished
        /// With an error.
        case failed
        /// Cut short, because nobody wanted it any more.
        case stopped
        /// Cut short to make way, and queued again.
        case preempted
    }

    /// A render on its way.
    public struct Render: Sendable, Equatable {
        /// The kinds of images that renders make.
        public enum Kind: String, Sendable, CaseIterable {
            /// An image from the preview embedded in the file.
            case preview
            /// The final image of a fast request.
            case fast
            /// The final image of any other request.
            case high
            /// The file as it is.
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

        /// The render's number, by which its end is found.
        public let number: UInt64
        /// The worker's number, from 0 up to the number of workers.
        public let worker: Int
        /// The asset that is rendered.
        public let asset: AssetIdentifier
        /// The kind of image that is made.
        public let kind: Kind
        /// The target in pixels.
        public let targetSize: PixelSize
        /// The priority of the most urgent request that waits for it.
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

    /// Lengths and sizes from this moment on.
    public struct Gauges: Sendable, Equatable {
        /// Renders that wait for a worker.
        public var queuedRenderCount = 0
        /// Renders on a worker.
        public var runningRenderCount = 0
        /// Requests that have not ended.
        public var liveRequestCount = 0
        /// Bytes of the budget that cached images take.
        public var cachedByteCount = 0
        /// Bytes of the budget that running renders take.
        public var renderingByteCount = 0
    }

    /// The time of the event.
    public let time: MonotonicTime
    /// The event.
    public let kind: Kind
}
