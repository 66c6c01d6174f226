import ThumbwheelCore
import ThumbwheelRendering

/// The reason why a request got no image. A request that gets no image ends with such a reason or as cancelled; see
/// <doc:Semantics#Requests-that-end>.
public enum ImageRequestError: Error, Equatable, Sendable {
    /// The target has no pixels, or the crop is empty or not finite. `reason` describes the fault for people.
    case invalidRequest(reason: String)
    /// The asset is of a kind that no image can be made from.
    case unsupportedMedia
    /// The bytes are not stored locally, and the request may not use the network; see <doc:Semantics#Network-access>.
    case networkAccessRequired
    /// The bytes could not be fetched over the network.
    case network(NetworkError)
    /// The bytes could not be read, or could not be rendered.
    case rendering(RenderError)
    /// The request's deadline came before its final image.
    case deadlineExceeded
    /// Too many requests were waiting (`QueueLimits`).
    case overloaded
    /// The request was cancelled. Only the `async` forms of requests throw this error.
    case cancelled

    /// PhotoKit's number for the error; see <doc:Errors>. If PhotoKit has no number for an error, the number is -1
    /// (internal error).
    public var code: Int {
        switch self {
        case .invalidRequest: -1
        case .unsupportedMedia: 3306
        case .networkAccessRequired: 3164
        case .network: 3169
        case .rendering(.source(.notFound)): 3303
        case .rendering(.limitExceeded): 3307
        case .rendering: 3302
        case .deadlineExceeded, .overloaded: 3301
        case .cancelled: 3072
        }
    }

    /// A short name of this kind of error, for reports and statistics. It is the same in every version of the library.
    public var name: String {
        switch self {
        case .invalidRequest: "invalidRequest"
        case .unsupportedMedia: "unsupportedMedia"
        case .networkAccessRequired: "networkAccessRequired"
        case .network: "network"
        case .rendering(let error): error.code
        case .deadlineExceeded: "deadlineExceeded"
        case .overloaded: "overloaded"
        case .cancelled: "cancelled"
        }
    }

    package init(_ error: RenderError) {
        switch error {
        case .invalidRequest(let reason): self = .invalidRequest(reason: reason)
        case .cancelled: self = .cancelled
        case .source(.network(.tooLarge)): self = .rendering(.limitExceeded(limit: .bytes))
        case .source(.network(let error)): self = .network(error)
        default: self = .rendering(error)
        }
    }
}
