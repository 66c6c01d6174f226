import Thumbwheel
import ThumbwheelLocks

/// Makes the ThumbHashes that a library lacks behind all other work, so that each cell of a grid has a placeholder. While the
/// service has nothing else to do, all workers make some; otherwise one does.
final class PlaceholderMaker: Sendable {
    private struct State {
        var isRunning = false
        /// Whether another pass must follow the running one, because assets may have been added since the running pass
        /// listed the assets without a placeholder.
        var isToRunAgain = false
    }

    /// The assets of a pass, each of which is taken by one worker.
    private final class Pass: Sendable {
        private let state: Mutex<(next: Int, assets: FetchResult<Asset>)>

        init(_ assets: FetchResult<Asset>) { state = Mutex((0, assets)) }

        func next() -> Asset? {
            state.withLock { state in
                while state.next < state.assets.count {
                    defer { state.next += 1 }
                    let asset = state.assets[state.next]
                    if asset.thumbHash == nil { return asset }
                }
                return nil
            }
        }
    }

    private let library: PhotoLibrary
    private let manager: ImageManager
    private let width: Int
    private let isBusy: @Sendable () -> Bool
    private let setMade: @Sendable (Bool) -> Void
    private let state = Mutex(State())

    /// - Parameters:
    ///   - isBusy: Whether clients wait for pictures.
    ///   - setMade: Called with false when a pass begins, and with true when there is nothing left to make.
    init(
        _ library: PhotoLibrary, _ manager: ImageManager, width: Int, isBusy: @escaping @Sendable () -> Bool,
        setMade: @escaping @Sendable (Bool) -> Void
    ) {
        (self.library, self.manager, self.width) = (library, manager, width)
        (self.isBusy, self.setMade) = (isBusy, setMade)
    }

    /// Begins a pass, or has another one follow the one that runs, which does not look at what is added meanwhile.
    func make() {
        let begins = state.withLock { state in
            defer { (state.isRunning, state.isToRunAgain) = (true, state.isRunning) }
            return !state.isRunning
        }
        guard begins else { return }
        Task.detached { [self] in
            repeat {
                setMade(false)
                await makeAll()
            } while state.withLock { state in
                defer { (state.isRunning, state.isToRunAgain) = (state.isToRunAgain, false) }
                return state.isToRunAgain
            }
            setMade(true)
        }
    }

    private func makeAll() async {
        let newest = FetchOptions(sortDescriptors: [AssetSortDescriptor(.creationDate, ascending: false)])
        let pass = Pass(library.fetchAssets(with: newest))
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<width {
                group.addTask { [self] in
                    while let asset = pass.next() {
                        while number > 0, isBusy() { try? await Task.sleep(for: .milliseconds(50)) }
                        await make(asset)
                    }
                }
            }
        }
    }

    /// The first decode leaves the hash. What cannot be decoded has none.
    private func make(_ asset: Asset) async {
        let options = ImageRequestOptions {
            $0.deliveryMode = .fast
            $0.priority = .background
        }
        _ = try? await manager.image(for: asset, targetSize: PixelSize(width: 96, height: 96), options: options)
    }
}
