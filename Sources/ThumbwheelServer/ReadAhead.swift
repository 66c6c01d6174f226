import ThumbwheelLocks

/// Counts the blocks of originals that are read, or have been read, before anybody waits for them. A slow client has at most one.
final class ReadAhead: Sendable {
    private let limit: Int
    private let count = Mutex(0)

    init(limit: Int) {
        self.limit = limit
    }

    /// Takes room for a block.
    ///
    /// - Returns: whether there is any.
    func begin() -> Bool {
        count.withLock { count in
            guard count < limit else { return false }
            count += 1
            return true
        }
    }

    /// Gives the room of a block back.
    func end() { count.withLock { $0 -= 1 } }
}
