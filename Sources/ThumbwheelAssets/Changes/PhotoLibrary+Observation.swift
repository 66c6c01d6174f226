import Dispatch

extension PhotoLibrary {
    /// Every change from now on, several as one where they come faster than they are taken.
    public var changes: LibraryChanges { LibraryChanges(feed: core.feed, policy: policy) }

    /// Registers an observer, which is not kept alive by the library.
    ///
    /// - Returns: the observation, which ends when it is let go of: keep it where it lives as long as it is to last, in a
    ///   stored property rather than in a local variable, which may be released after its last use.
    public func register(_ observer: any PhotoLibraryChangeObserver) -> ChangeObservation {
        let reference = WeakObserver(observer)
        return observeChanges { change in
            (reference.observer as? any PhotoLibraryChangeObserver)?.photoLibraryDidChange(change)
        }
    }

    /// Calls `handler` for every change; changes that come while it runs are joined into one. The changes of a limited
    /// library tell what its policy allows at the time of asking.
    ///
    /// - Returns: the observation, to be kept as `register` says.
    public func observeChanges(_ handler: @escaping @Sendable (LibraryChange) -> Void) -> ChangeObservation {
        let delivery = ChangeDelivery { [policy] change in handler(change.seen(by: policy)) }
        let (identifier, mailbox) = core.feed.add { delivery.schedule() }
        delivery.begin(mailbox)
        let feed = core.feed
        return ChangeObservation { waits in
            feed.remove(identifier)
            delivery.stop(waits: waits)
        }
    }
}
