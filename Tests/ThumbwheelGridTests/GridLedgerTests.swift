import Testing
import Thumbwheel
import ThumbwheelGrid

@Suite struct GridLedgerTests {
    private static let layout = GridLayout(columnCount: 3, cellSide: 10, viewport: PixelSize(width: 30, height: 95))
    private static let planners: [any GridPlanner] = [
        ScrollPlanner(), StripPreheatPlanner(), IndexWindowPlanner(itemsEachSide: 5), RangesPlanner(),
        VisibleOnlyPlanner(cancelsWhatLeft: true), VisibleOnlyPlanner(cancelsWhatLeft: false),
    ]

    /// What is left at an image manager, by asset.
    private struct Grid {
        var assets: [Int]
        var requested: [Int: Int] = [:]
        var window: Set<Int> = []
        var submitted: [Int] = []

        mutating func apply(_ actions: [GridAction]) {
            for action in actions {
                switch action {
                case .request(let item, _):
                    requested[item] = assets[item]
                    submitted.append(assets[item])
                case .cancel(let item): requested[item] = nil
                case .setUrgency(let item, _): #expect(requested[item] == assets[item])
                case .startCaching(let items, _): window.formUnion(items.map { assets[$0] })
                case .stopCaching(let items): window.subtract(items.map { assets[$0] })
                case .setAllowsHighQuality: break
                }
            }
        }

        mutating func apply(_ change: GridChange, replacing assets: [Int]) {
            apply(change.dropped)
            let previous = self.assets
            if let stopped = change.windows?.stopped(before: { previous[$0] }, after: { assets[$0] }) {
                apply([.stopCaching(stopped)])
            }
            let before = requested
            if let moves = change.renumbered {
                requested = Dictionary(uniqueKeysWithValues: moves.map { ($0.to, before[$0.from]!) })
            }
            self.assets = assets
            apply(change.actions)
        }
    }

    @Test(
        "after any change each visible item has its own asset\u{2019}s request, and none that stayed is asked for again",
        arguments: planners.indices, UInt64(0)..<5)
    func randomChanges(planner index: Int, seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var ledger = GridLedger(planner: Self.planners[index])
        var grid = Grid(assets: Array(0..<300))
        var nextAsset = 300
        var offset = 0.0
        for step in 0..<400 {
            if random.index(below: 3) > 0 {
                offset = max(0, offset + random.value(in: -60...80))
                offset = min(offset, Self.layout.maximumOffset(itemCount: grid.assets.count))
                grid.apply(
                    ledger.viewportMoved(to: offset, in: Self.layout, itemCount: grid.assets.count, at: .zero))
            } else {
                let before = grid
                var assets = grid.assets
                for _ in 0..<1 + random.index(below: 6) {
                    let item = random.index(below: assets.count)
                    switch random.index(below: 4) {
                    case 0: assets.remove(at: item)
                    case 1: assets.insert(assets.remove(at: random.index(below: assets.count)), at: item)
                    // A new asset in place of one, which is what a changed content is, or beside it.
                    case 2: assets[item] = nextAsset
                    default: assets.insert(nextAsset, at: item)
                    }
                    nextAsset += 1
                }
                let visible = Self.layout.visibleItems(at: offset, itemCount: before.assets.count)
                let change = ledger.contentsChanged(
                    to: offset, in: Self.layout.fitted(toItemCount: assets.count), at: .zero,
                    before: { before.assets[$0] },
                    after: { assets[$0] })
                grid.submitted = []
                grid.apply(change, replacing: assets)
                let stayed = Set(visible.map { before.assets[$0] }).intersection(before.requested.values)
                #expect(stayed.isDisjoint(with: grid.submitted), "seed \(seed), step \(step)")
                #expect(grid.window.isSubset(of: assets), "seed \(seed), step \(step)")
            }
            for item in Self.layout.visibleItems(at: offset, itemCount: grid.assets.count) where ledger.offset != nil {
                #expect(grid.requested[item] == grid.assets[item], "seed \(seed), step \(step), item \(item)")
            }
        }
    }
}
