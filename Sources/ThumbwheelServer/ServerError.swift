/// The reason why a server cannot be started.
public enum ServerError: Error, Equatable, Sendable {
    /// The host is no address in digits.
    case invalidHost(String)
    /// Nothing can listen at this address and port: another server has it, or the system refuses.
    case cannotListen(host: String, port: Int)
    /// The system gives no descriptors or threads.
    case noResources
}

extension ServerError: CustomStringConvertible {
    /// The error in words, for people.
    public var description: String {
        switch self {
        case .invalidHost(let host): "\(host) is no address in digits"
        case .cannotListen(let host, let port): "nothing can listen at \(host), port \(port)"
        case .noResources: "the system has no descriptors or threads left"
        }
    }
}
