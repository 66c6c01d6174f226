import Thumbwheel

/// The `thumbwheel.render/1` document.
public struct RenderDocument: Encodable, Sendable {
    public struct Workload: Encodable, Sendable {
        public var photographs: PhotographSet
        public var size: String
        public var content: String
        public var delivery: String
        public var resize: String
        @Nullable public var crop: [Double]?
        public var sampling: String
        public var linear: Bool
        public var rounds: Int
        public var cold: Bool
        public var previews: Bool

        public init(
            photographs: PhotographSet, size: PixelSize, content: ContentMode, delivery: DeliveryMode,
            resize: ResizeMode, crop: NormalizedRect?, sampling: Sampling, linear: Bool, rounds: Int, cold: Bool,
            previews: Bool
        ) {
            self.photographs = photographs
            self.size = size.description
            self.content = content.rawValue
            self.delivery = delivery.rawValue
            self.resize = resize.rawValue
            self.crop = crop.map { [$0.x, $0.y, $0.width, $0.height] }
            self.sampling = sampling.rawValue
            self.linear = linear
            self.rounds = rounds
            self.cold = cold
            self.previews = previews
        }
    }

    public struct Engine: Encodable, Sendable {
        public var tool = "thumbwheel"
        public var version = ThumbwheelVersion.current
        public var workers: Int

        public init(workers: Int) {
            self.workers = workers
        }
    }

    public struct Settings: Encodable, Sendable {
        public var workload: Workload
        public var engine: Engine

        public init(workload: Workload, engine: Engine) {
            self.workload = workload
            self.engine = engine
        }
    }

    public struct Failure: Encodable, Sendable {
        public var code: String
        public var message: String

        public init(code: String, message: String) {
            self.code = code
            self.message = message
        }
    }

    public struct Image: Encodable, Sendable {
        public var file: String
        @Nullable public var output: String?
        @Nullable public var width: Int?
        @Nullable public var height: Int?
        @Nullable public var source: String?
        @Nullable public var scale: Int?
        @Nullable public var decoder: String?
        @Nullable public var milliseconds: Double?
        @Nullable public var firstMilliseconds: Double?
        public var partial = false
        @Nullable public var error: Failure?

        public init(file: String) {
            self.file = file
        }
    }

    public struct Skip: Encodable, Sendable {
        public var file: String
        public var reason: String

        public init(file: String, reason: String) {
            self.file = file
            self.reason = reason
        }
    }

    /// A distribution with its mean.
    public struct Distribution: Encodable, Sendable {
        public var mean, p50, p95, p99, max: Double

        public init(of values: [Double]) {
            let points = Percentiles(of: values)
            mean = values.isEmpty ? 0 : (values.reduce(0, +) / Double(values.count)).rounded(toPlaces: 3)
            p50 = points.p50
            p95 = points.p95
            p99 = points.p99
            max = points.max
        }
    }

    public struct Summary: Encodable, Sendable {
        public var images: Int
        public var failed: Int
        public var wallSeconds: Double
        public var cpuSeconds: Double
        public var imagesPerSecond: Double
        public var megapixelsPerSecond: Double
        public var milliseconds: Distribution
        public var firstMilliseconds: Distribution
        public var minorFaults: Int
        public var peakResidentBytes: Int

        /// - Parameters:
        ///   - cost: what the timed part used.
        ///   - renderCount: images rendered in it, over all rounds.
        ///   - megapixels: of those images' files.
        public init(
            images: [Image], cost: TimedCost, renderCount: Int, megapixels: Double, peakResidentBytes: Int
        ) {
            self.images = images.count
            failed = images.count { $0.error != nil }
            wallSeconds = cost.wallSeconds.rounded(toPlaces: 6)
            cpuSeconds = cost.cpuSeconds.rounded(toPlaces: 6)
            imagesPerSecond = (Double(renderCount) / Swift.max(cost.wallSeconds, 1e-9)).rounded(toPlaces: 3)
            megapixelsPerSecond = (megapixels / Swift.max(cost.wallSeconds, 1e-9)).rounded(toPlaces: 3)
            milliseconds = Distribution(of: images.compactMap(\.milliseconds))
            firstMilliseconds = Distribution(of: images.compactMap(\.firstMilliseconds))
            minorFaults = cost.minorFaults
            self.peakResidentBytes = peakResidentBytes
        }
    }

    public let schema = "thumbwheel.render/1"
    public var host: HostDescription
    public var settings: Settings
    public var images: [Image]
    /// Files that are not images.
    public var skipped: [Skip]
    public var summary: Summary

    public init(
        host: HostDescription, settings: Settings, images: [Image], skipped: [Skip], summary: Summary
    ) {
        self.host = host
        self.settings = settings
        self.images = images
        self.skipped = skipped
        self.summary = summary
    }
}
