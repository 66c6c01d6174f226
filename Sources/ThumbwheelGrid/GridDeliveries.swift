import Thumbwheel
import ThumbwheelLocks

/// Delivers the results of a grid's requests, each with the number of its item. The number is looked up at the
/// delivery, because a change of the contents may give an item another number while its request is running.
final class GridDeliveries: Sendable {
    private struct State {
        var items: [Int: Int] = [:]
        var lastTicket = 0
        var gauge = SupplyGauge()
    }

    private let resultHandler: @Sendable (Int, ImageResult) -> Void
    private let state = Mutex(State())

    init(resultHandler: @escaping @Sendable (Int, ImageResult) -> Void) {
        self.resultHandler = resultHandler
    }

    /// - Returns: a ticket, which stands for the item until its last result. It stays the same when the item gets
    ///   another number.
    func issueTicket(forItem item: Int) -> Int {
        state.withLock { state in
            state.lastTicket += 1
            state.items[state.lastTicket] = item
            return state.lastTicket
        }
    }

    /// Delivers a result to the handler. After a terminal result nothing more is delivered for a ticket, even if other
    /// results are already on their way.
    func deliver(_ result: ImageResult, for ticket: Int) {
        let item = state.withLock { state in
            if case .final(_, let info) = result { state.gauge.note(info) }
            return result.isTerminal ? state.items.removeValue(forKey: ticket) : state.items[ticket]
        }
        if let item { resultHandler(item, result) }
    }

    /// Returns the average time that recent images took; nil if no image has come since the last call.
    func takeCosts() -> SupplyGauge.Costs? { state.withLock { $0.gauge.takeCosts() } }

    /// - Parameter tickets: the valid tickets, by the new numbers of their items. Nothing more is delivered for any
    ///   other ticket.
    func renumber(_ tickets: [Int: Int]) {
        state.withLock { state in
            let items = state.items
            state.items = [:]
            for (item, ticket) in tickets where items[ticket] != nil { state.items[ticket] = item }
        }
    }
}
