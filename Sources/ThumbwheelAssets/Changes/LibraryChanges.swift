import Dispatch

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
