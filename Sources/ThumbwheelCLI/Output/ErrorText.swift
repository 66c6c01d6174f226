import Thumbwheel

extension RenderError {
    /// For people.
    var text: String {
        switch self {
        case .unsupportedFormat: "a format that is not rendered"
        case .truncated(let fraction):
            fraction > 0
                ? "the file ends too soon; \(Int(fraction * 100)) % could be decoded" : "the file ends too soon"
        case .malformed(let reason), .invalidRequest(let reason), .encodingFailed(let reason): reason
        case .limitExceeded(let limit): "beyond the limit of \(limit.rawValue)"
        case .noPreview: "no preview in the file"
        case .cancelled: "cancelled"
        case .source(.notFound): "the file is gone"
        case .source: "the file cannot be read"
        }
    }
}

extension ImageRequestError {
    var text: String {
        switch self {
        case .rendering(let error): error.text
        case .invalidRequest(let reason): reason
        case .networkAccessRequired: "the file is elsewhere"
        case .network: "the network did not bring the file"
        case .unsupportedMedia: "no image can be made of it"
        case .deadlineExceeded: "not done by its deadline"
        case .overloaded: "too many requests were waiting"
        case .cancelled: "cancelled"
        }
    }
}
