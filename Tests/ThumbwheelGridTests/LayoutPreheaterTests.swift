import TestSupport
import Testing
import Thumbwheel
import ThumbwheelGrid

/// A preheater over layouts that are no plain grid.
@Suite(.endsHangs) struct LayoutPreheaterTests {
    private let renderer = SuspendableRenderer()
    private let log = ResultLog()
    private let manager: ImageManager
    private static let viewport = PixelSize(width: 100, height: 100)

    init() {
        manager = ImageManager.undisturbed(renderer: renderer) {
            $0.workerCount = 1
            $0.memoryBudget = 1 << 30
            $0.executor = .inline
        }
    }

    private func preheater(
        _ layout: any ScrollLayout, _ assets: [Asset], targetSize: PixelSize? = nil,
        contentMode: ContentMode = .aspectFill
    ) -> ScrollPreheater {
        ScrollPreheater(
            manager: CachingImageManager(manager), layout: layout, assets: assets, targetSize: targetSize,
            contentMode: contentMode, planner: VisibleOnlyPlanner(cancelsWhatLeft: true)
        ) { [log] item, result in log.handler(item)(result) }
    }

    private func renditions(of assets: [Asset]) -> [AssetIdentifier: RenderOptions] {
        Dictionary(renderer.renditions.map { ($0.subject.asset, $0.options) }) { _, last in last }
    }

    /// Two to a line: 16 to 9 and upright by turns.
    private let assets = (0..<40).map { number in
        Pictures.asset(
            number,
            size: number.isMultiple(of: 2) ? PixelSize(width: 1600, height: 900) : PixelSize(width: 600, height: 800))
    }

    @Test("each item is asked for at the size of its own rectangle, in the content mode of the host")
    func sizes() async {
        let layout = JustifiedLayout(assets, targetLength: 40, viewport: Self.viewport)
        let preheater = preheater(layout, assets, contentMode: .aspectFit)
        preheater.viewportMoved(to: 0)
        let visible = layout.visibleItems(at: 0)
        await log.waitForEnds(visible.count)
        let made = renditions(of: assets)
        #expect(made.count == visible.count)
        for item in visible {
            let options = made[assets[item].identifier]
            #expect(options?.targetSize == layout.targetSize(of: item) && options?.contentMode == .aspectFit)
        }
        #expect(Set(visible.map { layout.targetSize(of: $0) }).count > 1)
    }

    @Test("after a change those that keep their size go on, and those that get another are asked for anew")
    func changes() async {
        let shown = Array(assets.dropFirst())
        var layout = JustifiedLayout(shown, targetLength: 40, viewport: Self.viewport)
        let preheater = preheater(layout, shown)
        preheater.viewportMoved(to: 0)
        let before = Dictionary(
            uniqueKeysWithValues: layout.visibleItems(at: 0).map { (shown[$0].identifier, layout.targetSize(of: $0)) })
        await log.waitForEnds(before.count)
        let details = FetchResultChangeDetails(
            from: FetchResult(shown), to: FetchResult(assets), changedObjects: [])
        layout.update(with: details)
        let submitted = manager.statistics.requests.submitted
        preheater.update(with: details, layout: layout)
        await preheater.settle()
        let visible = layout.visibleItems(at: 0)
        let anew = visible.filter { before[assets[$0].identifier] != layout.targetSize(of: $0) }
        #expect(manager.statistics.requests.submitted - submitted == anew.count)
        #expect(!anew.isEmpty)
        await log.waitForEnds(before.count + anew.count)
        let made = renditions(of: assets)
        #expect(visible.allSatisfy { made[assets[$0].identifier]?.targetSize == layout.targetSize(of: $0) })
    }

    @Test("sections are scrolled sideways, and all items have one size where the host wants that")
    func sections() async {
        let section = GridLayout(
            columnCount: 2, cell: LayoutSize(width: 40, height: 40), spacing: LayoutSize(width: 5, height: 5),
            axis: .horizontal, viewport: Self.viewport)
        let layout = SectionedLayout(
            [3, 17, 20].map { section.fitted(toItemCount: $0) }, headerLength: 20, axis: .horizontal,
            viewport: Self.viewport)
        let size = PixelSize(width: 64, height: 64)
        let preheater = preheater(layout, assets, targetSize: size)
        preheater.viewportMoved(to: 50)
        // The second section's header is from 105 to 125.
        #expect(layout.visibleItems(at: 50) == 0..<5)
        await log.waitForEnds(layout.visibleItems(at: 50).count)
        let made = renditions(of: assets)
        #expect(made.count == layout.visibleItems(at: 50).count && made.values.allSatisfy { $0.targetSize == size })
        preheater.viewportMoved(to: layout.maximumOffset)
        await log.waitForEnds(made.count + layout.visibleItems(at: layout.maximumOffset).count)
        #expect(renditions(of: assets)[assets[39].identifier] != nil)
    }
}
