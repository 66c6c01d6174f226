/// The answer of a handler to a request: the response, or a promise of it.
public enum ServiceAnswer: Sendable {
    /// The response is there.
    case ready(ServiceResponse)
    /// The response needs work that has begun. `PendingResponse.cancel` ends that work.
    case pending(PendingResponse)
}
