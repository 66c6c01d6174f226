import Thumbwheel
import ThumbwheelLocks

/// Tells the streams of one tenant of changes. All streams share one observation of the library and one walk over it for each
/// change, however many there are.
///
/// A library tells a limited view of each transaction, and its observer must find out whether there is anything to see: when
/// others change something, and how often, is nothing that a limited tenant may learn.
final class ChangeFeed: Sendable {
    /// A stream's place in the feed, until the last reference to it goes.
    final class Place: Sendable {
        private let feed: ChangeFeed
        private let number: Int

        fileprivate init(_ feed: ChangeFeed, _ number: Int) {
            (self.feed, self.number) = (feed, number)
        }

        deinit { feed.remove(number) }
    }

    private struct WeakStream {
        weak var stream: ByteStream?
    }

    private struct State {
        var streams: [Int: WeakStream] = [:]
        var nextNumber = 0
        var observation: ChangeObservation?
        /// Placeholders are looked for while there are streams.
        var timer: Task<Void, Never>?
        /// What a limited tenant saw at the last look; nil before the first.
        var seen: VisibleContents?
        var isLookDue = false
        var hashMark: HashMark?
        var shownHashCount = 0
    }

    private let resident: Resident
    private let queue: TenantQueue
    private let interval: Duration?
    private let state = Mutex(State())

    /// - Parameters:
    ///   - queue: Runs the walks over the library.
    ///   - interval: How often placeholders are looked for; nil for never.
    init(_ resident: Resident, _ queue: TenantQueue, interval: Duration?) {
        (self.resident, self.queue, self.interval) = (resident, queue, interval)
    }

    /// Adds a stream, which is told of all changes from now on. The first one of a limited tenant makes a walk over the library.
    func add(_ stream: ByteStream) -> Place {
        let (number, isFirst) = state.withLock { state in
            state.nextNumber += 1
            state.streams[state.nextNumber] = WeakStream(stream: stream)
            return (state.nextNumber, state.streams.count == 1)
        }
        let place = Place(self, number)
        guard isFirst else { return place }
        let observation = resident.library.observeChanges { [weak self] change in
            self?.noteChange(change.transactionCount)
        }
        let timer = interval.map { interval in
            Task { [weak self] in
                while (try? await Task.sleep(for: interval)) != nil { self?.lookForPlaceholders() }
            }
        }
        let hashMark = resident.hashMark
        let (oldObservation, oldTimer) = state.withLock { state in
            defer { (state.observation, state.timer, state.hashMark) = (observation, timer, hashMark) }
            return (state.observation, state.timer)
        }
        oldTimer?.cancel()
        _ = oldObservation
        if resident.library.isView {
            let seen = VisibleContents(resident)
            state.withLock { ($0.seen, $0.shownHashCount) = (seen, resident.shownHashCount) }
        }
        return place
    }

    private func remove(_ number: Int) {
        let (observation, timer) = state.withLock { state -> (ChangeObservation?, Task<Void, Never>?) in
            state.streams[number] = nil
            guard state.streams.isEmpty else { return (nil, nil) }
            defer { (state.observation, state.timer, state.seen) = (nil, nil, nil) }
            return (state.observation, state.timer)
        }
        timer?.cancel()
        _ = observation
    }

    private func send(_ name: String, _ data: String = "{}") {
        for stream in state.withLock({ $0.streams.values.compactMap(\.stream) }) { stream.send(name, data: data) }
    }

    private func noteChange(_ transactionCount: Int) {
        guard resident.library.isView else {
            send("change", "{\"transactions\":\(transactionCount)}")
            return
        }
        let isToLook = state.withLock { state in
            defer { state.isLookDue = true }
            return !state.isLookDue
        }
        // Changes that come until the look begins need no other one.
        guard isToLook, queue.run(resident.index, { [weak self] in self?.look() }) == nil else { return }
        // Too much waits. Whoever looks too often is told of nothing that is secret, but nobody may miss a change.
        state.withLock { $0.isLookDue = false }
        send("change")
    }

    private func look() {
        state.withLock { $0.isLookDue = false }
        let now = VisibleContents(resident)
        let isChanged = state.withLock { state in
            guard state.observation != nil else { return false }
            defer { state.seen = now }
            return state.seen != now
        }
        if isChanged { send("change") }
    }

    /// Tells of placeholders if there are new ones. Called every few seconds, since they come one by one.
    func lookForPlaceholders() {
        let mark = resident.hashMark
        let isNew = state.withLock { state in
            defer { state.hashMark = mark }
            return state.hashMark != mark && !state.streams.isEmpty
        }
        guard isNew else { return }
        guard resident.library.isView else {
            send("placeholders")
            return
        }
        _ = queue.run(resident.index) { [weak self] in
            guard let self else { return }
            let count = resident.shownHashCount
            let isNew = state.withLock { state in
                defer { state.shownHashCount = count }
                return state.shownHashCount != count
            }
            if isNew { send("placeholders") }
        }
    }
}
