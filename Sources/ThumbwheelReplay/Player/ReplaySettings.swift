import Thumbwheel

/// The settings of a replay that do not depend on the strategy.
public struct ReplaySettings: Sendable {
    /// The delivery mode of every request.
    public var deliveryMode: DeliveryMode
    /// The target size of every request, in pixels.
    public var targetSize: PixelSize
    /// The number of frames per second.
    public var framesPerSecond: Double
    /// The number of render threads, real or simulated.
    public var workerCount: Int
    /// The memory budget in bytes.
    public var budget: Int
    /// The number of files that may be fetched over the network at once.
    public var fetchLimit: Int
    /// Whether previews in the files may be used.
    public var usesEmbeddedPreviews: Bool
    /// The assets that have placeholders.
    public var placeholders: Placeholders
    /// Whether idle workers pack bitmaps that have not been requested lately.
    public var packsRenditions: Bool
    /// The time that the provider of the files takes in simulated runs; nil if the files are local.
    public var providerLatency: LatencyModel?
    /// Whether runs record all events of the pipeline.
    public var recordsEvents: Bool
    /// The files that are decoded outside the process, in runs that render.
    public var isolation = Isolation.none
    /// The path of the executable that decodes outside the process; nil for the usual one.
    public var decoderPath: String?
    /// The places below memory in which finished images outlive a process.
    public var tiers = ReplayTiers()

    /// Makes settings; the defaults are those of the command line.
    public init(
        deliveryMode: DeliveryMode = .opportunistic, targetSize: PixelSize = PixelSize(width: 256, height: 256),
        framesPerSecond: Double = 60, workerCount: Int = 2, budget: Int = 64 << 20, fetchLimit: Int = 4,
        usesEmbeddedPreviews: Bool = true, placeholders: Placeholders = .seen, packsRenditions: Bool = false,
        providerLatency: LatencyModel? = nil,
        recordsEvents: Bool = false
    ) {
        self.deliveryMode = deliveryMode
        self.targetSize = targetSize
        self.framesPerSecond = framesPerSecond
        self.workerCount = workerCount
        self.budget = budget
        self.fetchLimit = fetchLimit
        self.providerLatency = providerLatency
        self.usesEmbeddedPreviews = usesEmbeddedPreviews
        self.placeholders = placeholders
        self.packsRenditions = packsRenditions
        self.recordsEvents = recordsEvents
    }

    /// Whether cells show placeholders; never under high-quality delivery, which is about final images alone.
    var showsPlaceholders: Bool { placeholders != .none && deliveryMode != .highQuality }

    var eventCapacity: Int { recordsEvents ? .max : 0 }
}
