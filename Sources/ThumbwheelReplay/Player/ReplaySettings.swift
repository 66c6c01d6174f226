import Thumbwheel

/// How a trace is played, whatever the strategy.
public struct ReplaySettings: Sendable {
    /// The delivery mode of every request.
    public var deliveryMode: DeliveryMode
    /// The target of every request, in pixels.
    public var targetSize: PixelSize
    /// Frames in a second.
    public var framesPerSecond: Double
    /// The number of render threads, real or simulated.
    public var workerCount: Int
    /// Bytes.
    public var budget: Int
    /// How many files may come over the network at once.
    public var fetchLimit: Int
    /// Whether previews in the files may be used.
    public var usesEmbeddedPreviews: Bool
    /// The assets that have placeholders.
    public var placeholders: Placeholders
    /// Whether idle workers pack what has not been asked for lately.
    public var packsRenditions: Bool
    /// How long the provider takes that has the files, in simulated runs; nil where they are at hand.
    public var providerLatency: LatencyModel?
    /// Whether runs come with everything that happened in the pipeline.
    public var recordsEvents: Bool

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

    /// High-quality delivery is about finals alone.
    var showsPlaceholders: Bool { placeholders != .none && deliveryMode != .highQuality }

    var eventCapacity: Int { recordsEvents ? .max : 0 }
}
