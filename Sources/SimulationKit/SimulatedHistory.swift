import ThumbwheelPipeline

/// What a history begins with, and what happens in it.
package struct SimulatedHistory: Codable, Sendable {
    package struct Setup: Codable, Sendable {
        var workerCount: Int
        var budget: Int
        var servesNewestFirst: Bool
        var keepsRenditions: Bool
        var packsRenditions = false
        var weighsCost = true
        var queue = Queue.roomy
        /// Whether there is a tier below memory; nil in histories from before there was any.
        var hasTiers: Bool?
        /// Whether there is also a tier that servers share; nil in histories from before there was any.
        var hasSharedTier: Bool?

        var tiers: [StorageTier] {
            (hasTiers == true ? [.disk] : []) + (hasSharedTier == true ? [.shared] : [])
        }
    }

    /// How many requests may wait.
    enum Queue: String, Codable, CaseIterable {
        case roomy, shedding, rejecting, sheddingForMemory, rejectingForMemory

        /// Whether requests of one priority make way for those of another.
        var isShortOfMemory: Bool { self == .sheddingForMemory || self == .rejectingForMemory }

        var limits: QueueLimits {
            switch self {
            case .roomy: QueueLimits()
            case .shedding: QueueLimits(prefetch: 2, background: 1)
            case .rejecting: QueueLimits(userInitiated: 8, prefetch: 3, background: 2, overflow: .rejectsNewest)
            case .sheddingForMemory: QueueLimits(byteCount: 6 * PipelineState.waitingByteCount)
            case .rejectingForMemory:
                QueueLimits(byteCount: 6 * PipelineState.waitingByteCount, overflow: .rejectsNewest)
            }
        }
    }

    package var setup: Setup
    package var steps: [SimulatedStep] = []
}
