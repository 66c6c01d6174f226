import Thumbwheel
import ThumbwheelGrid
import ThumbwheelLocks

/// A user's scrolling grid, and what its cells have been given.
final class SoakGrid {
    let manager: Int
    private let preheater: ScrollPreheater
    private let board: Board
    private var contents: [LibraryModel.Item]
    private var offset = 0.0

    private static let layout = GridLayout(columnCount: 4, cellSide: 24, viewport: PixelSize(width: 96, height: 72))

    init(
        _ caching: CachingImageManager, of manager: Int, _ assets: FetchResult<Asset>, _ items: [LibraryModel.Item],
        _ complaints: Complaints
    ) {
        self.manager = manager
        contents = items
        let board = Board(complaints)
        self.board = board
        board.show(items)
        preheater = ScrollPreheater(
            manager: caching, layout: Self.layout, assets: assets, targetSize: PixelSize(width: 24, height: 24),
            options: ImageRequestOptions {
                $0.resizeMode = .exact
                $0.isNetworkAccessAllowed = true
            }
        ) { _, result in board.note(result) }
        preheater.viewportMoved(to: 0)
    }

    func show(_ assets: FetchResult<Asset>, _ items: [LibraryModel.Item]) {
        contents = items
        board.show(items)
        preheater.show(assets)
    }

    /// - Parameter position: from 0 at the top to 1 at the bottom.
    func scroll(to position: Double) {
        offset = position * Self.layout.maximumOffset(itemCount: contents.count)
        preheater.viewportMoved(to: offset)
    }

    func settle() async { await preheater.settle() }

    /// What is to be seen and was given no image and no error.
    var blankItems: [Int] {
        let visible = Self.layout.visibleItems(at: offset, itemCount: contents.count)
        return contents[visible].filter { !board.hasEnd(of: $0) }.map(\.number)
    }
}

extension SoakGrid {
    /// What cells may show, and have shown.
    fileprivate final class Board: Sendable {
        private struct State {
            /// By asset: what the contents show, and what they showed before they changed last.
            var sources: [Int: [SoakSource]] = [:]
            var ended: [Int: Set<Int>] = [:]
        }

        private let complaints: Complaints
        private let state = Mutex(State())

        init(_ complaints: Complaints) {
            self.complaints = complaints
        }

        func show(_ items: [LibraryModel.Item]) {
            state.withLock { state in
                let former = state.sources.mapValues { $0.suffix(1) }
                state.sources = [:]
                for item in items { state.sources[item.number] = (former[item.number] ?? []) + [item.current] }
                // A cell that is emptied may still be given what was on its way.
                for (number, sources) in former where state.sources[number] == nil {
                    state.sources[number] = Array(sources)
                }
                let kept = Set(state.sources.keys)
                state.ended = state.ended.filter { kept.contains($0.key) }
            }
        }

        func hasEnd(of item: LibraryModel.Item) -> Bool {
            state.withLock { $0.ended[item.number]?.contains(item.current.picture.number) ?? false }
        }

        func note(_ result: ImageResult) {
            if case .cancelled = result { return }
            let number = result.info.asset.soakNumber
            let sources = state.withLock { $0.sources[number] ?? [] }
            guard let image = result.bitmap else {
                return state.withLock { state in
                    for source in sources { state.ended[number, default: []].insert(source.picture.number) }
                }
            }
            let shown = sources.filter { source in
                source.behavior == .truncated || source.behavior == .garbled
                    || source.possiblePictures.contains { $0.isShown(by: image) }
            }
            if shown.isEmpty, !result.info.isPartial {
                complaints.note(
                    .picture,
                    expected: "asset \(number) in a grid: picture \(sources.map(\.picture.number))",
                    seen: SoakPicture.number(shownBy: image, upTo: 46_656).map { "picture \($0)" }
                        ?? "no picture of the run")
            }
            guard result.isTerminal else { return }
            state.withLock { state in
                for source in shown { state.ended[number, default: []].insert(source.picture.number) }
            }
        }
    }
}
