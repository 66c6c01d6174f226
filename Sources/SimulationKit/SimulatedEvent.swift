import ThumbwheelCore
import ThumbwheelPipeline
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
    /// A render ends that the pipeline has abandoned; they are numbered in the order in which it did.
    case finishAbandoned(Int)
    /// More of an asset's file has come over the network.
    case progressFetch(asset: Int, fraction: Double)
    case finishFetch(asset: Int, ending: SimulatedFetchEnding)
    /// A tier below memory answers the look-up for an asset that has waited longest.
    case finishLookUp(asset: Int, ending: SimulatedLookUpEnding)
    /// The shared store answers the claim for an asset that has waited longest.
    case finishClaim(asset: Int, ending: SimulatedClaimEnding)
    /// Something goes wrong with a tier below memory; nil if the tier works again.
    case failTier(StorageTier, SimulatedTierFault?)
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

extension MemoryPressure: Codable {}
extension RequestPriority: Codable {}
extension StorageTier: Codable {}
extension DeliveryMode: Codable {}
