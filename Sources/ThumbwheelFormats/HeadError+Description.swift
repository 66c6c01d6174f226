import ThumbwheelCore

extension HeadError: CustomStringConvertible {
    /// The error in words, for people.
    public var description: String {
        switch self {
        case .unknownType: "the file is of no known type"
        case .truncated: "the file ends inside its head"
        case .malformed(let reason): "the head is damaged: \(reason)"
        case .limitExceeded(let reason): "the head is beyond a limit: \(reason)"
        case .source(let error): error.description
        }
    }
}
