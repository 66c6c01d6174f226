import ThumbwheelCore
import ThumbwheelScheduling

/// A command to a pipeline. It submits, changes or cancels a request, or it changes a caching window, which is a set of
/// images to have ready.
package enum PipelineCommand: Sendable {
    case request(PipelineRequest)
    case setPriority(ImageRequestID, RequestPriority, urgency: Double)
    case cancel(ImageRequestID)
    case startCaching([WindowWish])
    case stopCaching([RenditionKey])
    case setAllowsHighQuality(Bool)

    /// Whether this command changes a caching window, which is a set of images to have ready. Such a command has to
    /// wait while a long list of images is still being added to the window. False if the command concerns a request.
    package var isOfWindow: Bool {
        switch self {
        case .request, .setPriority, .cancel: false
        case .startCaching, .stopCaching, .setAllowsHighQuality: true
        }
    }
}

extension PipelineState {
    /// Carries out a command at the time `now`: a new request, a change of a request, or a change of a caching window.
    ///
    /// - Parameters:
    ///   - command: the command.
    ///   - window: the number of the caching window to change; ignored if the command concerns a request.
    ///   - isCancelled: whether the cancellation token of a new request is cancelled already. The request then ends at
    ///     once.
    /// - Returns: the identifier of the new request; nil if the command made no request.
    @discardableResult
    package mutating func perform(
        _ command: PipelineCommand, in window: Int, isCancelled: Bool = false, at now: MonotonicTime
    ) -> ImageRequestID? {
        switch command {
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
