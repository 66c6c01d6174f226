import ThumbwheelCore
import ThumbwheelLocks

extension PhotoLibrary {
    /// The reason why the library cannot be changed at present; nil if the library can be changed. Fetches work in both
    /// cases.
    public var unavailabilityReason: (any Error)? { core.availability.reason ?? policy.unavailabilityReason }

    /// Makes the library refuse every transaction, for example while the volume of its files is not mounted. A reason
    /// of nil lets the library accept transactions again.
    public func setUnavailable(because reason: (any Error)?) { core.availability.set(reason) }

    /// Registers an observer, which is called after each call of `setUnavailable` with a reason. The library keeps only
    /// a weak reference to the observer.
    ///
    /// - Returns: the observation. It ends when it is destroyed, so keep it for as long as the observer is to be
    ///   called.
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

    /// Calls `handler` after each call of `setUnavailable`, with the new reason, or with nil if the library is
    /// available again. If the reason changes several times while the handler runs, only the last reason is reported.
    /// Reasons that an access policy gives are not reported.
    public func observeAvailability(_ handler: @escaping @Sendable ((any Error)?) -> Void) -> ChangeObservation {
        let availability = core.availability
        let identifier = availability.add(handler)
        return ChangeObservation { waits in availability.remove(identifier, waits: waits) }
    }
}

/// The reason why a library cannot be changed, with the observers of that reason.
final class LibraryAvailability: Sendable {
    private struct Observer: Sendable {
        let work = SerialWork(on: .handlers)
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
        // The replaced reason is destroyed here, outside the lock: the error belongs to the host program and may run
        // code when it is destroyed.
        _ = former
        for (identifier, observer) in observers {
            observer.work.run {
                // If the reason has changed again since this call was scheduled, nothing is done. The call for the last
                // change reports the present reason.
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
        // Stops the observer's calls outside the lock. The observer is destroyed when this function returns, also
        // outside the lock: values that its handler captured may run code when they are destroyed.
        observer?.calls.stop(waits: waits)
    }
}
