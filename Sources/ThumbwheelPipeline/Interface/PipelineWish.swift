import ThumbwheelCore
import ThumbwheelScheduling

/// What somebody who looks at images asks of a pipeline: of requests, or of a window of images to have ready.
package enum PipelineWish: Sendable {
    case request(PipelineRequest)
    case setPriority(ImageRequestID, RequestPriority, urgency: Double)
    case cancel(ImageRequestID)
    case startCaching([WindowWish])
    case stopCaching([RenditionKey])
    case setAllowsHighQuality(Bool)

    /// Whether it is about the window alone.
    package var isOfWindow: Bool {
        switch self {
        case .request, .setPriority, .cancel: false
        case .startCaching, .stopCaching, .setAllowsHighQuality: true
        }
    }
}

extension PipelineState {
    /// Does what is wished, now.
    ///
    /// - Parameters:
    ///   - window: the window that wishes about windows are for.
    ///   - isCancelled: whether new requests were cancelled before they were made.
    /// - Returns: the identifier of the request that has been made, if one has.
    @discardableResult
    package mutating func perform(
        _ wish: PipelineWish, in window: Int, isCancelled: Bool = false, at now: MonotonicTime
    ) -> ImageRequestID? {
        switch wish {
        case .request(let request): return submit(request, isCancelled: isCancelled, at: now)
        case .setPriority(let id, let priority, let urgency): setPriority(priority, urgency: urgency, of: id, at: now)
        case .cancel(let id): cancel(id, at: now)
        case .startCaching(let wishes): startCaching(wishes, in: window, at: now)
        case .stopCaching(let keys): stopCaching(keys, in: window, at: now)
        case .setAllowsHighQuality(let allows): setAllowsHighQuality(allows, in: window, at: now)
        }
        return nil
    }
}
