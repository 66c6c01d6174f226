import Thumbwheel
import ThumbwheelLocks

/// Whom the results of a grid's requests go to, and for which item: a request that goes on while the contents change is
/// another item's by the time its results come.
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

    /// - Returns: what stands for the item until its last result.
    func issueTicket(forItem item: Int) -> Int {
        state.withLock { state in
            state.lastTicket += 1
            state.items[state.lastTicket] = item
            return state.lastTicket
        }
    }

    /// After a terminal result nothing more is delivered for a ticket, whatever is on its way.
    func deliver(_ result: ImageResult, for ticket: Int) {
        let item = state.withLock { state in
            if case .final(_, let info) = result { state.gauge.note(info) }
            return result.isTerminal ? state.items.removeValue(forKey: ticket) : state.items[ticket]
        }
        if let item { resultHandler(item, result) }
    }

    /// What images cost lately; nil where none has come since this was last asked.
    func takeCosts() -> SupplyGauge.Costs? { state.withLock { $0.gauge.takeCosts() } }

    /// - Parameter tickets: by the items that they are for from now on. Nothing more is delivered for any other.
    func renumber(_ tickets: [Int: Int]) {
        state.withLock { state in
            let items = state.items
            state.items = [:]
            for (item, ticket) in tickets where items[ticket] != nil { state.items[ticket] = item }
        }
    }
}
