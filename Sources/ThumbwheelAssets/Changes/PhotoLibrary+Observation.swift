import Dispatch

extension PhotoLibrary {
    /// A sequence of the library's changes, which begins when its iterator is made. Changes that arrive faster than
    /// they are taken are joined into one.
    public var changes: LibraryChanges { LibraryChanges(feed: core.feed, policy: policy, viewer: viewer) }

    /// Registers an observer; the library does not keep it alive.
    ///
    /// - Returns: the observation, which ends when it is released. Keep it in a stored property for as long as it is
    ///   needed, because a local variable may be released after its last use.
    public func register(_ observer: any PhotoLibraryChangeObserver) -> ChangeObservation {
        let reference = WeakObserver(observer)
        return observeChanges { change in
            (reference.observer as? any PhotoLibraryChangeObserver)?.photoLibraryDidChange(change)
        }
    }

    /// Calls `handler` for every change; changes that arrive while it runs are joined into one. Through a view with
    /// limited rights, a change shows only the objects that the access policy allows at the time of reading.
    ///
    /// - Returns: the observation, which ends when it is released; keep it as described for `register`.
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
