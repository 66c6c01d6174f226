import Dispatch

/// Is told when a library changes.
public protocol PhotoLibraryChangeObserver: AnyObject, Sendable {
    /// Runs on a queue of the observer's own, one call at a time, outside all locks.
    func photoLibraryDidChange(_ change: LibraryChange)
}

/// Ends an observation when it is told to, or when it is let go of.
public final class ChangeObservation: Sendable {
    private let end: @Sendable (_ waits: Bool) -> Void

    init(_ end: @escaping @Sendable (_ waits: Bool) -> Void) {
        self.end = end
    }

    /// Ends the observation and releases the handler with all that it holds.
    ///
    /// No call begins after this method has returned. It waits for a call that runs on another thread, for a tenth of a
    /// second at most; that call may run longer. May be called from the handler itself.
    public func cancel() { end(true) }

    // Does not wait: the thread that drops the observation may hold a lock that the handler waits for.
    deinit { end(false) }
}

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

/// The changes of a library. Each iteration has a mailbox of its own, from `makeAsyncIterator` on.
public struct LibraryChanges: AsyncSequence, Sendable {
    public typealias Element = LibraryChange
    public typealias Failure = Never

    let feed: ChangeFeed
    let policy: any AccessPolicy

    public func makeAsyncIterator() -> Iterator { Iterator(feed, policy) }

    /// Takes changes from a mailbox of its own.
    public struct Iterator: AsyncIteratorProtocol {
        private let mailbox: ChangeMailbox
        private let policy: any AccessPolicy
        private var signals: AsyncStream<Void>.Iterator
        // Leaves the feed when the last copy of the iterator goes.
        private let registration: ChangeObservation

        init(_ feed: ChangeFeed, _ policy: any AccessPolicy) {
            self.policy = policy
            // One signal that waits is enough: the mailbox holds all that came.
            let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
            let (identifier, mailbox) = feed.add { continuation.yield() }
            self.mailbox = mailbox
            signals = stream.makeAsyncIterator()
            registration = ChangeObservation { _ in feed.remove(identifier) }
        }

        /// The next change; nil when the task is cancelled.
        public mutating func next() async -> LibraryChange? {
            while await signals.next() != nil {
                // Empty where the one before has taken what this signal was for.
                if let change = mailbox.take() { return change.seen(by: policy) }
            }
            return nil
        }
    }
}
