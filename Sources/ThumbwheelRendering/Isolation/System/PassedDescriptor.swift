#if os(Linux)
import Glibc

/// A descriptor that came with a message. It is closed when the last reference to this object is gone.
final class PassedDescriptor: Sendable {
    let number: Int32

    init(_ number: Int32) {
        self.number = number
    }

    deinit {
        close(number)
    }
}
#endif
