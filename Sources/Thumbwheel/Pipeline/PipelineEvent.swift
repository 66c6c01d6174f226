import ThumbwheelAssets
import ThumbwheelCore
import ThumbwheelScheduling

/// Something that happened in a manager, for those who want to see it on a time line; numbers are those that results carry.
public struct PipelineEvent: Sendable, Equatable {
    public enum Kind: Sendable, Equatable {
        case requestSubmitted(ImageRequestID, asset: AssetIdentifier, priority: RequestPriority)
        /// The request cannot be one: it counts as submitted and as failed.
        case requestRefused(ImageRequestID)
        /// The request joined a render already asked for.
        case requestCoalesced(ImageRequestID)
        case requestDegraded(ImageRequestID)
        case requestEnded(ImageRequestID, RequestEnd)
        case renderStarted(Render)
        /// The render is to make way, or nobody wants it any more; it still ends.
        case renderToldToStop(number: UInt64, worker: Int)
        case renderEnded(number: UInt64, worker: Int, RenderEnd)
        case evicted(byteCount: Int)
        case gauges(Gauges)
    }

    public enum RequestEnd: String, Sendable, CaseIterable {
        case delivered, failed, cancelled, shed
    }

    public enum RenderEnd: String, Sendable, CaseIterable {
        case finished, failed, stopped, preempted
    }

    public struct Render: Sendable, Equatable {
        public let number: UInt64
        /// From 0 up to the number of workers.
        public let worker: Int
        public let asset: AssetIdentifier
        /// What is made: `preview`, `fast`, `high` or `original`.
        public let kind: String
        public let targetSize: PixelSize
        public let priority: RequestPriority

        package init(
            number: UInt64, worker: Int, asset: AssetIdentifier, kind: String, targetSize: PixelSize,
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
        public var queuedRenderCount = 0
        public var runningRenderCount = 0
        public var liveRequestCount = 0
        /// Bytes of the budget, by what they are spent on.
        public var cachedByteCount = 0
        public var renderingByteCount = 0
    }

    public let time: MonotonicTime
    public let kind: Kind
}

/// What `takeEvents` returns.
public struct PipelineEvents: Sendable, Equatable {
    /// In the order in which they happened.
    public internal(set) var events: [PipelineEvent] = []
    /// Events before these that nobody took in time.
    public internal(set) var lostCount = 0

    package init() {}
}
