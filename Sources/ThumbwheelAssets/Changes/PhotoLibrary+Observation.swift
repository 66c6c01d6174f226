import Dispatch

extension PhotoLibrary {
    /// The changes of the library as a sequence, starting when an iterator is made. Changes that arrive while the
    /// caller is busy are joined into one.
    public var changes: LibraryChanges { LibraryChanges(feed: core.feed, policy: policy, viewer: viewer) }

    /// Registers an observer. The library keeps only a weak reference to it.
    ///
    /// - Returns: the observation, which ends when it is destroyed. Keep it in a stored property for as long as the
    ///   observer is to be called: a local variable may be destroyed directly after its last use.
    public func register(_ observer: any PhotoLibraryChangeObserver) -> ChangeObservation {
        let reference = WeakObserver(observer)
        return observeChanges { change in
            (reference.observer as? any PhotoLibraryChangeObserver)?.photoLibraryDidChange(change)
        }
    }

    /// Calls `handler` after every change. Changes that arrive while the handler runs are joined into one. If the
    /// access policy limits the user's rights, a change shows only the objects that the policy allows at the time of
    /// reading.
    ///
    /// - Returns: the observation, which ends when it is destroyed. Keep it in a stored property for as long as the
    ///   handler is to be called.
    public func observeChanges(_ handler: @escaping @Sendable (LibraryChange) -> Void) -> ChangeObservation {
        let delivery = ChangeDelivery { [policy, viewer] change in handler(change.seen(by: policy, viewer)) }
        let (identifier, mailbox) = core.feed.add(for: viewer) { delivery.schedule() }
        delivery.begin(mailbox)
        let feed = core.feed
        return ChangeObservation { waits in
            feed.remove(identifier)
            delivery.stop(waits: waits)
        }
    }
}
