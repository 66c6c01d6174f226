import ThumbwheelCore
import ThumbwheelRendering

extension ImageRequestError: CustomStringConvertible {
    /// The error in words, for people.
    public var description: String {
        switch self {
        case .rendering(let error): error.description
        case .invalidRequest(let reason): reason
        case .networkAccessRequired: "the file is elsewhere, and the request may not use the network"
        case .network(let error): error.description
        case .unsupportedMedia: "no image can be made of it"
        case .deadlineExceeded: "not done by its deadline"
        case .overloaded: "too many requests were waiting"
        case .cancelled: "cancelled"
        }
    }
}
