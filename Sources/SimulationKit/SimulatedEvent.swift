import ThumbwheelAssets
import ThumbwheelCore
import ThumbwheelFormats
import ThumbwheelPipeline
import ThumbwheelRendering
import ThumbwheelScheduling

/// What may happen to a pipeline, as a value, so that a history of events can be kept, cut short, and played again.
///
/// Requests and windows go by the numbers that the history gave them. An event about one that is not there changes
/// nothing: any part of a history is a history.
package indirect enum SimulatedEvent: Codable, Sendable {
    case submit(SimulatedRequest)
    /// A request that cannot be one.
    case refuse
    case cancel(request: Int)
    case move(request: Int, priority: RequestPriority, urgency: Double)
    case cancelAll
    /// The receiver of a request that has results takes them.
    case drain(request: Int)
    case finish(worker: Int, ending: SimulatedEnding)
    /// More of an asset's file has come over the network.
    case progressFetch(asset: Int, fraction: Double)
    case finishFetch(asset: Int, ending: SimulatedFetchEnding)
    case openWindow(Int)
    case closeWindow(Int)
    case startCaching(window: Int, [SimulatedWindowEntry])
    case stopCaching(window: Int, [SimulatedPicture])
    case stopCachingAll(window: Int)
    case switchQuality(window: Int, allows: Bool)
    /// An asset is deleted.
    case forget(asset: Int)
    /// The pipeline is told what time it is.
    case wake
    case setBudget(Int)
    case setMemoryPressure(MemoryPressure)
    case close(isGraceful: Bool)
    /// Events that the pipeline takes as one.
    case batch([SimulatedEvent])
}

/// An event, and the virtual milliseconds since the one before.
package struct SimulatedStep: Codable, Sendable {
    var delay: Double
    var event: SimulatedEvent
}

/// Which pixels are wanted.
package struct SimulatedPicture: Codable, Sendable {
    /// Whose; the asset's number also says what its file is like.
    var asset: Int
    var side: Int
    var isCropped = false
    var isFitted = false
    var isFast = false
}

package struct SimulatedRequest: Codable, Sendable {
    var number: Int
    var picture: SimulatedPicture
    var mode: DeliveryMode
    var priority: RequestPriority
    var urgency: Double
    /// From the submission on; not above 0 where it has passed by then.
    var deadlineMicroseconds: Int?
    var isNetworkAccessAllowed = true
    /// Whether a file is wanted, not pixels.
    var isEncoded = false
    var allowsSecondDegraded = false
    /// Whether the cache is asked for the answer before the request is submitted, as the manager asks it.
    var asksCacheFirst = false
    /// Whether it was cancelled before it was made.
    var isCancelledBefore = false
}

package struct SimulatedWindowEntry: Codable, Sendable {
    var picture: SimulatedPicture
    var urgency: Double
}

/// How a render ends.
package enum SimulatedEnding: String, Codable, Sendable {
    case image, failure
    /// The file is cut short: good for a partial image only.
    case truncation
    case stop
}

/// How a fetch ends.
package enum SimulatedFetchEnding: String, Codable, Sendable {
    case bytes, failure, stop
}

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

extension MemoryPressure: Codable {}
extension RequestPriority: Codable {}
extension DeliveryMode: Codable {}
