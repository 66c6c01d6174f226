import Dispatch

/// A sequence of the changes of a library. Each iterator has its own mailbox, which collects changes from the moment at
/// which `makeAsyncIterator` is called.
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
        // When the last copy of the iterator is destroyed, this observation is released and removes the mailbox from
        // the feed.
        private let registration: ChangeObservation

        init(_ feed: ChangeFeed, _ policy: any AccessPolicy, _ viewer: LibraryViewer) {
            self.policy = policy
            self.viewer = viewer
            // One waiting signal is enough, because the mailbox joins all changes that have arrived into one.
            let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
            let (identifier, mailbox) = feed.add(for: viewer) { continuation.yield() }
            self.mailbox = mailbox
            signals = stream.makeAsyncIterator()
            registration = ChangeObservation { _ in feed.remove(identifier) }
        }

        /// The next change; nil when the task is cancelled.
        public mutating func next() async -> LibraryChange? {
            while await signals.next() != nil {
                // The mailbox is empty if the previous call already took the change that this signal announced.
                if let change = mailbox.take() { return change.seen(by: policy, viewer) }
            }
            return nil
        }
    }
}
