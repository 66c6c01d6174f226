import Dispatch

/// A sequence of the changes of a library. Each iterator collects changes in its own mailbox from the moment that
/// `makeAsyncIterator` makes it.
public struct LibraryChanges: AsyncSequence, Sendable {
    public typealias Element = LibraryChange
    public typealias Failure = Never

    let feed: ChangeFeed
    let policy: any AccessPolicy

    public func makeAsyncIterator() -> Iterator { Iterator(feed, policy) }

    /// An iterator that takes changes from its own mailbox.
    public struct Iterator: AsyncIteratorProtocol {
        private let mailbox: ChangeMailbox
        private let policy: any AccessPolicy
        private var signals: AsyncStream<Void>.Iterator
        // The registration leaves the feed when the last copy of the iterator is destroyed.
        private let registration: ChangeObservation

        init(_ feed: ChangeFeed, _ policy: any AccessPolicy) {
            self.policy = policy
            // One waiting signal is enough, because the mailbox holds all changes that have arrived.
            let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
            let (identifier, mailbox) = feed.add { continuation.yield() }
            self.mailbox = mailbox
            signals = stream.makeAsyncIterator()
            registration = ChangeObservation { _ in feed.remove(identifier) }
        }

        /// The next change; nil when the task is cancelled.
        public mutating func next() async -> LibraryChange? {
            while await signals.next() != nil {
                // The mailbox is empty if the previous call already took the change that this signal announced.
                if let change = mailbox.take() { return change.seen(by: policy) }
            }
            return nil
        }
    }
}
