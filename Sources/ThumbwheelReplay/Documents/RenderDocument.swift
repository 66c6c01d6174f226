import Thumbwheel

/// The `thumbwheel.render/1` document.
public struct RenderDocument: Encodable, Sendable {
    /// The requested work: documents with equal workloads can be compared.
    public struct Workload: Encodable, Sendable {
        /// The photographs.
        public var photographs: PhotographSet
        /// The target size in pixels, as in `256x256`.
        public var size: String
        /// The content mode: `fill` or `fit`.
        public var content: String
        /// The delivery mode: `high`, `fast` or `opportunistic`.
        public var delivery: String
        /// The resize mode: `exact`, `fast` or `none`.
        public var resize: String
        /// The crop as x, y, width and height in fractions of the image; null for the whole image.
        @Nullable public var crop: [Double]?
        /// The sampling: `standard` or `best`.
        public var sampling: String
        /// Whether images are resampled in linear light.
        public var linear: Bool
        /// How many times the whole set was rendered.
        public var rounds: Int
        /// Whether files are read while the clock runs, instead of before.
        public var cold: Bool
        /// Whether previews in the files may be used.
        public var previews: Bool
        /// False if no thumb hashes are made in passing; absent if they are.
        public var hashes: Bool?

        /// Makes a workload; the parameters are those of the command line.
        public init(
            photographs: PhotographSet, size: PixelSize, content: ContentMode, delivery: DeliveryMode,
            resize: ResizeMode, crop: NormalizedRect?, sampling: Sampling, linear: Bool, rounds: Int, cold: Bool,
            previews: Bool, hashes: Bool = true
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
            self.hashes = hashes ? nil : false
        }
    }

    /// The program that did the work, and its settings.
    public struct Engine: Encodable, Sendable {
        /// The program's name.
        public var tool = "thumbwheel"
        /// The program's version.
        public var version = ThumbwheelVersion.current
        /// The number of render threads.
        public var workers: Int

        /// Describes this program.
        ///
        /// - Parameter workers: The number of render threads.
        public init(workers: Int) {
            self.workers = workers
        }
    }

    /// The settings of a run.
    public struct Settings: Encodable, Sendable {
        /// The requested work.
        public var workload: Workload
        /// The program that did the work, and its settings.
        public var engine: Engine

        /// Makes settings from their two parts.
        public init(workload: Workload, engine: Engine) {
            self.workload = workload
            self.engine = engine
        }
    }

    /// The reason why an image could not be rendered.
    public struct Failure: Encodable, Sendable {
        /// The error's code, which is the same in every version.
        public var code: String
        /// The error in words, for people.
        public var message: String

        /// Makes a reason from its two parts.
        public init(code: String, message: String) {
            self.code = code
            self.message = message
        }
    }

    /// One rendered photograph. Facts that a failed render does not have are null.
    public struct Image: Encodable, Sendable {
        /// The file's path, as it was given or found.
        public var file: String
        /// The file that the thumbnail was written to; null without `--out`.
        @Nullable public var output: String?
        /// The thumbnail's width in pixels.
        @Nullable public var width: Int?
        /// The thumbnail's height in pixels.
        @Nullable public var height: Int?
        /// The place that the image came from: `render`, `store` if it was found in a store on disk, or
        /// `shared` if it was found in one that servers share.
        @Nullable public var from: String?
        /// The source of the pixels: `cache`, `embedded`, `reduced` or `full`.
        @Nullable public var source: String?
        /// The scale of the decode in eighths.
        @Nullable public var scale: Int?
        /// The decoder's name.
        @Nullable public var decoder: String?
        /// The median time from the request to the final image, in milliseconds.
        @Nullable public var milliseconds: Double?
        /// The median time to the degraded image, in milliseconds; null if none came.
        @Nullable public var firstMilliseconds: Double?
        /// Whether only a part of the image could be decoded.
        public var partial = false
        /// The reason for the failure; null if there is an image.
        @Nullable public var error: Failure?

        /// Makes an entry without any result.
        public init(file: String) {
            self.file = file
        }
    }

    /// A file that was skipped.
    public struct Skip: Encodable, Sendable {
        /// The file's path.
        public var file: String
        /// The reason in words, for people.
        public var reason: String

        /// Makes an entry from its two parts.
        public init(file: String, reason: String) {
            self.file = file
            self.reason = reason
        }
    }

    /// A distribution with its mean.
    public struct Distribution: Encodable, Sendable {
        /// The arithmetic mean.
        public var mean: Double
        /// The median.
        public var p50: Double
        /// The value that 95 % do not exceed.
        public var p95: Double
        /// The value that 99 % do not exceed.
        public var p99: Double
        /// The largest value.
        public var max: Double

        /// Makes the distribution of some values; all 0 if there are none.
        public init(of values: [Double]) {
            let points = Percentiles(of: values)
            mean = values.isEmpty ? 0 : (values.reduce(0, +) / Double(values.count)).rounded(toPlaces: 3)
            p50 = points.p50
            p95 = points.p95
            p99 = points.p99
            max = points.max
        }
    }

    /// The cost of the run, all images together.
    public struct Summary: Encodable, Sendable {
        /// The number of rendered images.
        public var images: Int
        /// The number of failed images.
        public var failed: Int
        /// The number of images that were decoded, and not found in a store.
        public var renders: Int
        /// The time that passed, in seconds.
        public var wallSeconds: Double
        /// The processor time of all threads, in seconds.
        public var cpuSeconds: Double
        /// The number of images made per second of the time that passed.
        public var imagesPerSecond: Double
        /// The megapixels of the photographs, as stored, per second of the time that passed.
        public var megapixelsPerSecond: Double
        /// The times to the final images, in milliseconds.
        public var milliseconds: Distribution
        /// The times to the degraded images, in milliseconds.
        public var firstMilliseconds: Distribution
        /// The number of page faults without input or output, during the timed part.
        public var minorFaults: Int
        /// The most memory that the process held, in bytes.
        public var peakResidentBytes: Int

        /// Sums up a run.
        ///
        /// - Parameters:
        ///   - images: The entries of the document.
        ///   - cost: The cost of the timed part.
        ///   - renderCount: The number of images rendered in the timed part, over all rounds.
        ///   - megapixels: The megapixels of those images' files.
        ///   - peakResidentBytes: The most memory that the process held, in bytes.
        public init(
            images: [Image], cost: TimedCost, renderCount: Int, megapixels: Double, peakResidentBytes: Int
        ) {
            self.images = images.count
            failed = images.count { $0.error != nil }
            renders = images.count { $0.from == "render" }
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

    /// The name and the version of this document's format.
    public let schema = "thumbwheel.render/1"
    /// The machine and the libraries.
    public var host: HostDescription
    /// The settings of the run.
    public var settings: Settings
    /// The photographs, in the order of their use.
    public var images: [Image]
    /// The files that were skipped because they are not images.
    public var skipped: [Skip]
    /// The cost of all images together.
    public var summary: Summary

    /// Makes a document from its parts.
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
