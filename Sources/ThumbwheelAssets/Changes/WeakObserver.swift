import Dispatch

/// A weak reference to an observer. The class is unchecked, because the reference is set only once, before it is
/// shared. Later, it can only become nil, and the runtime makes that safe for all threads.
final class WeakObserver: @unchecked Sendable {
    private(set) weak var observer: (any AnyObject & Sendable)?

    init(_ observer: any AnyObject & Sendable) {
        self.observer = observer
    }
}
