import Thumbwheel

/// Whom the results of a grid's requests go to, and for which item: a request that goes on while the contents change is
/// another item's by the time its results come.
final class GridDeliveries: Sendable {
    private struct State {
        var items: [Int: Int] = [:]
        var lastTicket = 0
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

    func deliver(_ result: ImageResult, for ticket: Int) {
        let item = state.withLock { result.isTerminal ? $0.items.removeValue(forKey: ticket) : $0.items[ticket] }
        if let item { resultHandler(item, result) }
    }

    /// - Parameter tickets: by the items that they are for from now on. Nothing more is delivered for any other.
    func renumber(_ tickets: [Int: Int]) {
        state.withLock { state in
            let items = state.items
            state.items = [:]
            for (item, ticket) in tickets where items[ticket] != nil { state.items[ticket] = item }
        }
    }
}
