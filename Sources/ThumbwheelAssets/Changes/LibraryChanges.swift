import Dispatch

/// The changes of a library as an asynchronous sequence. Each iterator collects the changes in a mailbox of its own,
/// starting when `makeAsyncIterator` is called.
public struct LibraryChanges: AsyncSequence, Sendable {
    public typealias Element = LibraryChange
    public typealias Failure = Never

    let feed: ChangeFeed
    let policy: any AccessPolicy
    let viewer: LibraryViewer

    public func makeAsyncIterator() -> Iterator { Iterator(feed, policy, viewer) }

    /// An iterator that takes changes from its own mailbox.
    public struct Iterator: AsyncIteratorProtocol {
        private let mailbox: ChangeMailbox
        private let policy: any AccessPolicy
        private let viewer: LibraryViewer
        private var signals: AsyncStream<Void>.Iterator
        // The iterator's registration at the change feed. It is destroyed with the last copy of the iterator, and then
        // removes the mailbox from the feed.
        private let registration: ChangeObservation

        init(_ feed: ChangeFeed, _ policy: any AccessPolicy, _ viewer: LibraryViewer) {
            self.policy = policy
            self.viewer = viewer
            // One waiting signal is enough, because the mailbox joins all waiting changes into one.
            let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
            let (identifier, mailbox) = feed.add(for: viewer) { continuation.yield() }
            self.mailbox = mailbox
            signals = stream.makeAsyncIterator()
            registration = ChangeObservation { _ in feed.remove(identifier) }
        }

        /// Waits for the next change; nil when the task is cancelled.
        public mutating func next() async -> LibraryChange? {
            while await signals.next() != nil {
                // Each change sends a signal, but one call of `take` removes all changes that have arrived. So the
                // mailbox may be empty at a signal, because its change was taken together with an earlier one. The loop
                // then waits for the next signal.
                if let change = mailbox.take() { return change.seen(by: policy, viewer) }
            }
            return nil
        }
    }
}
