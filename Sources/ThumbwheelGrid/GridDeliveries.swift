import Thumbwheel

/// Whom the results of a grid's requests go to, and for which item: a request that goes on while the contents change is
/// another item's by the time its results come.
final class GridDeliveries: Sendable {
    private struct State {
        var items: [Int: Int] = [:]
        /// Of those, whose items have left the screen.
        var cancelled: Set<Int> = []
        var lastTicket = 0
        var gauge = SupplyGauge()
    }

    private let resultHandler: @Sendable (Int, ImageResult) -> Void
    private let state = Mutex(State())

    init(resultHandler: @escaping @Sendable (Int, ImageResult) -> Void) {
        self.resultHandler = resultHandler
    }

    /// - Returns: what stands for the item until its last result.
    func issueTicket(forItem item: Int) -> Int {
        state.withLock { state in
            state.lastTicket += 1
            state.items[state.lastTicket] = item
            return state.lastTicket
        }
    }

    /// From now on nothing comes for the ticket but its end, whatever is on its way.
    ///
    /// - Returns: whether that is still to come.
    func cancel(_ ticket: Int) -> Bool {
        state.withLock { state in
            guard state.items[ticket] != nil else { return false }
            state.cancelled.insert(ticket)
            return true
        }
    }

    func deliver(_ result: ImageResult, for ticket: Int) {
        let (item, isCancelled) = state.withLock { state in
            if case .final(_, let info) = result { state.gauge.note(info) }
            guard result.isTerminal else { return (state.items[ticket], state.cancelled.contains(ticket)) }
            return (state.items.removeValue(forKey: ticket), state.cancelled.remove(ticket) != nil)
        }
        guard let item else { return }
        if !isCancelled {
            resultHandler(item, result)
        } else if result.isTerminal {
            resultHandler(item, .cancelled)
        }
    }

    /// What images cost lately; nil where none has come since this was last asked.
    func takeCosts() -> SupplyGauge.Costs? { state.withLock { $0.gauge.takeCosts() } }

    /// - Parameter tickets: by the items that they are for from now on. Nothing more is delivered for any other.
    func renumber(_ tickets: [Int: Int]) {
        state.withLock { state in
            let items = state.items
            (state.items, state.cancelled) = ([:], [])
            for (item, ticket) in tickets where items[ticket] != nil { state.items[ticket] = item }
        }
    }
}
