#if os(Linux)
import Glibc

/// A descriptor that came with a message. It is closed when the last reference to this object is gone.
final class PassedDescriptor: Sendable {
    /// The number that the system has given the descriptor in this process.
    let rawValue: Int32

    init(_ rawValue: Int32) {
        self.rawValue = rawValue
    }

    deinit {
        close(rawValue)
    }
}
#endif
