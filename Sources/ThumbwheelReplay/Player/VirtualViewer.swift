import Thumbwheel
import ThumbwheelGrid

/// One grid on the virtual clock: its contents, its screen and its requests.
struct VirtualViewer {
    let board: GridBoard
    /// The index of the server that the grid's requests go to.
    let server: Int
    /// The number of the grid's window in the server's pipeline.
    private(set) var window: Int
    private var ledger: GridLedger
    private(set) var contents: LaidOutContents
    /// The requests by item number.
    private(set) var requests: [Int: ImageRequestID] = [:]
    private var items: [ImageRequestID: Int] = [:]
    private var gauge = SupplyGauge()

    init(
        planner: any GridPlanner, contents: LaidOutContents, catalog: AssetCatalog, server: Int, window: Int,
        hasPlaceholder: @escaping @Sendable (AssetState) -> Bool
    ) {
        self.contents = contents
        self.server = server
        self.window = window
        ledger = GridLedger(planner: planner)
        board = GridBoard(catalog: catalog, list: contents.list, hasPlaceholder: hasPlaceholder)
    }

    /// Begins anew with a blank screen, because the process that the requests went to has ended.
    ///
    /// - Parameter window: the number of the grid's window in the pipeline of the new process.
    mutating func restart(planner: any GridPlanner, window: Int) {
        ledger = GridLedger(planner: planner)
        (requests, items, gauge) = ([:], [:], SupplyGauge())
        self.window = window
        board.clear()
    }

    /// Shows the next frame of the viewer's trace.
    ///
    /// - Parameter share: the viewer's share of the workers and transfers that make the images.
    /// - Returns: the actions of the viewer's planner; the dropped ones refer to the list before this frame.
    mutating func show(_ frame: ScrollTrace.Frame, at time: MonotonicTime, sharing share: ManagerShare) -> GridChange {
        if let costs = gauge.takeCosts() { ledger.supplyChanged(to: share.supply(costs)) }
        let before = contents
        for event in frame.edits { contents.apply(event.edit) }
        let items = contents.layout.visibleItems(at: frame.offset)
        guard !frame.edits.isEmpty else {
            board.show(items, at: time)
            return GridChange(
                actions: ledger.viewportMoved(to: frame.offset, in: contents.layout, at: time))
        }
        board.replace(contents.list)
        board.show(items, at: time)
        return ledger.contentsChanged(
            to: frame.offset, in: contents.layout, at: time, before: { before.subject(of: $0) },
            after: { [contents] in contents.subject(of: $0) })
    }

    mutating func note(_ id: ImageRequestID, forItem item: Int) {
        requests[item] = id
        items[id] = item
    }

    mutating func takeRequest(ofItem item: Int) -> ImageRequestID? { requests.removeValue(forKey: item) }

    mutating func renumber(_ moves: [(from: Int, to: Int)]) {
        let before = requests
        requests = [:]
        for move in moves { requests[move.to] = before[move.from] }
        let live = items
        items = [:]
        for (item, id) in requests where live[id] != nil { items[id] = item }
    }

    /// - Parameter firstNumber: what is added to the numbers of renders.
    mutating func receive(
        _ results: [PipelineResult], of id: ImageRequestID, numberingRendersFrom firstNumber: UInt64,
        at now: MonotonicTime
    ) {
        guard let item = items[id] else { return }
        for result in results {
            switch result {
            case .degraded(let shared, var info):
                info.renderNumber? += firstNumber
                board.receiveImage(of: info, shared.bitmap, isFinal: false, for: item, at: now)
            case .final(let shared, var info):
                info.renderNumber? += firstNumber
                gauge.note(info)
                board.receiveImage(of: info, shared.bitmap, isFinal: true, for: item, at: now)
            case .progress, .failed, .cancelled: break
            }
            if result.isTerminal { items[id] = nil }
        }
    }
}
