import Dispatch
import ThumbwheelCore
import ThumbwheelLocks

extension PhotoLibrary {
    /// Why the library cannot be changed at present; nil where it can. What it holds can be fetched all the same.
    public var unavailabilityReason: (any Error)? { core.availability.reason ?? policy.unavailabilityReason }

    /// Makes the library refuse all transactions, of all views, until it is available again: for a host whose volume has
    /// gone, and which stays silent about it with nil.
    public func setUnavailable(because reason: (any Error)?) { core.availability.set(reason) }

    /// Registers an observer, which is not kept alive by the library.
    ///
    /// - Returns: the observation, to be kept for as long as it is to last.
    public func register(_ observer: any PhotoLibraryAvailabilityObserver) -> ChangeObservation {
        let reference = WeakObserver(observer)
        let (core, policy) = (core, policy)
        return observeAvailability { [weak core] reason in
            guard reason != nil, let core,
                let observer = reference.observer as? any PhotoLibraryAvailabilityObserver
            else { return }
            observer.photoLibraryDidBecomeUnavailable(PhotoLibrary(core, policy))
        }
    }

    /// Calls `handler` with the reason, or nil for available, after each change of it; with the last one alone where they
    /// come faster than it ends. What a policy says of itself is not observed.
    public func observeAvailability(_ handler: @escaping @Sendable ((any Error)?) -> Void) -> ChangeObservation {
        let availability = core.availability
        let identifier = availability.add(handler)
        return ChangeObservation { waits in availability.remove(identifier, waits: waits) }
    }
}

/// Whether a library can be changed, and who wants to know.
final class LibraryAvailability: Sendable {
    private struct Observer: Sendable {
        let queue = DispatchQueue(label: "thumbwheel.library.availability")
        let calls: ObserverCalls<(any Error)?>
    }

    private struct State {
        var reason: (any Error)?
        var changeCount: UInt64 = 0
        var nextIdentifier: UInt64 = 0
        var observers: [UInt64: Observer] = [:]
    }

    private let state = Mutex(State())

    var reason: (any Error)? { state.withLock { $0.reason } }

    func set(_ reason: (any Error)?) {
        let (observers, count, former) = state.withLock { state in
            defer { state.reason = reason }
            state.changeCount += 1
            return (state.observers, state.changeCount, state.reason)
        }
        // Destroys the replaced reason outside the lock: its error is the host's.
        _ = former
        for (identifier, observer) in observers {
            observer.queue.async {
                // Told of the last change alone: the calls for those before it find that there is a newer one.
                let isDue = self.state.withLock { $0.changeCount == count && $0.observers[identifier] != nil }
                if isDue { observer.calls.call(with: reason) }
            }
        }
    }

    func add(_ handler: @escaping @Sendable ((any Error)?) -> Void) -> UInt64 {
        state.withLock { state in
            state.nextIdentifier += 1
            state.observers[state.nextIdentifier] = Observer(calls: ObserverCalls(handler))
            return state.nextIdentifier
        }
    }

    func remove(_ identifier: UInt64, waits: Bool) {
        let observer = state.withLock { $0.observers.removeValue(forKey: identifier) }
        // Destroys the observer outside the lock: values that its handler captured may run code when they are
        // destroyed.
        observer?.calls.stop(waits: waits)
    }
}
