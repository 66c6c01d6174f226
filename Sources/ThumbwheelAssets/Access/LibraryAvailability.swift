import Dispatch
import ThumbwheelCore
import ThumbwheelLocks

extension PhotoLibrary {
    /// Why the library cannot be changed at present; nil if it can be changed. Its contents can be fetched in either
    /// case.
    public var unavailabilityReason: (any Error)? { core.availability.reason ?? policy.unavailabilityReason }

    /// Makes the library refuse the transactions of all views, for instance while the host's volume is gone. A reason of
    /// nil makes the library available again.
    public func setUnavailable(because reason: (any Error)?) { core.availability.set(reason) }

    /// Registers an observer; the library does not keep it alive.
    ///
    /// - Returns: the observation, which ends when it is released; keep it for as long as it is needed.
    public func register(_ observer: any PhotoLibraryAvailabilityObserver) -> ChangeObservation {
        let reference = WeakObserver(observer)
        let (core, policy, viewer) = (core, policy, viewer)
        return observeAvailability { [weak core] reason in
            guard reason != nil, let core,
                let observer = reference.observer as? any PhotoLibraryAvailabilityObserver
            else { return }
            observer.photoLibraryDidBecomeUnavailable(PhotoLibrary(core, policy, viewer))
        }
    }

    /// Calls `handler` after each change of the reason for unavailability: with the new reason, or with nil if the
    /// library is available again. If the reason changes several times during one call, only the last change is
    /// reported. Reasons that access policies give are not reported.
    public func observeAvailability(_ handler: @escaping @Sendable ((any Error)?) -> Void) -> ChangeObservation {
        let availability = core.availability
        let identifier = availability.add(handler)
        return ChangeObservation { waits in availability.remove(identifier, waits: waits) }
    }
}

/// Whether a library can be changed, and the observers of that state.
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
        // Destroys the replaced reason outside the lock, because the error belongs to the host and may run code when
        // destroyed.
        _ = former
        for (identifier, observer) in observers {
            observer.queue.async {
                // If the reason has changed again since this call was scheduled, this call does nothing. The call for
                // the last change reports the present reason.
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
