import Dispatch

/// Written once, before it is shared; the reference itself may go to nil at any time, which the runtime makes safe.
final class WeakObserver: @unchecked Sendable {
    private(set) weak var observer: (any AnyObject & Sendable)?

    init(_ observer: any AnyObject & Sendable) {
        self.observer = observer
    }
}
