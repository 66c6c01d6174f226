import Dispatch

/// A weak reference to an observer. The compiler cannot check that threads may share it. They may: the reference is set
/// once, before it is shared; later it can only become nil, and the runtime makes that safe for all threads.
final class WeakObserver: @unchecked Sendable {
    private(set) weak var observer: (any AnyObject & Sendable)?

    init(_ observer: any AnyObject & Sendable) {
        self.observer = observer
    }
}
