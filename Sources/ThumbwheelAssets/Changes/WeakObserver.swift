import Dispatch

/// A weak reference to an observer. It is written once, before it is shared. It may become nil at any time, which the
/// runtime makes safe for all threads.
final class WeakObserver: @unchecked Sendable {
    private(set) weak var observer: (any AnyObject & Sendable)?

    init(_ observer: any AnyObject & Sendable) {
        self.observer = observer
    }
}
