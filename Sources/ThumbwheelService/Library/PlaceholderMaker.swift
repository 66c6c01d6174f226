import Thumbwheel
import ThumbwheelLocks

/// Makes the ThumbHashes that a library lacks behind all other work, so that each cell of a grid has a placeholder. While the
/// service has nothing else to do, all workers make some; otherwise one does.
package final class PlaceholderMaker: Sendable {
    private struct State {
        var isRunning = false
        /// Whether another pass must follow the running one, because assets may have been added since the running pass
        /// listed the assets without a placeholder.
        var isToRunAgain = false
        /// Whether a pass has ended.
        var hasEnded = false
        /// The assets that came before the running pass and after the one before it.
        var current: Set<AssetIdentifier> = []
        /// The assets that came since the running pass began.
        var new: Set<AssetIdentifier> = []
        /// Pictures that are not tried again.
        var failures: Set<Picture> = []

        var missing: Set<AssetIdentifier>? { hasEnded ? current.union(new) : nil }
    }

    private struct Picture: Hashable {
        let asset: AssetIdentifier
        let version: UInt32

        init(_ asset: Asset) {
            (self.asset, version) = (asset.identifier, asset.contentVersion)
        }
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

    /// The most failures that are remembered. Beyond these, all are tried again.
    private static let failureLimit = 1 << 16

    private let library: PhotoLibrary
    private let manager: ImageManager
    private let width: Int
    private let isBusy: @Sendable () -> Bool
    private let setMissing: @Sendable (Set<AssetIdentifier>?) -> Void
    private let state = Mutex(State())

    /// - Parameters:
    ///   - width: The number of placeholders that are made at once.
    ///   - isBusy: Whether clients wait for pictures.
    ///   - setMissing: Called with the assets that have come and not been tried yet; with nil while none has been, because the
    ///     first pass has not ended. It is called under a lock, so that calls come in order, and must not wait for anything.
    package init(
        _ library: PhotoLibrary, _ manager: ImageManager, width: Int, isBusy: @escaping @Sendable () -> Bool,
        setMissing: @escaping @Sendable (Set<AssetIdentifier>?) -> Void
    ) {
        (self.library, self.manager, self.width) = (library, manager, width)
        (self.isBusy, self.setMissing) = (isBusy, setMissing)
    }

    /// Begins a pass, or has another one follow the one that runs, which does not look at what is added meanwhile.
    ///
    /// - Parameter new: The assets that have come, or show another picture.
    package func make(_ new: [AssetIdentifier]) {
        let begins = state.withLock { state in
            state.new.formUnion(new)
            setMissing(state.missing)
            defer { (state.isRunning, state.isToRunAgain) = (true, state.isRunning) }
            return !state.isRunning
        }
        guard begins else { return }
        Task.detached { [self] in
            repeat {
                state.withLock { ($0.current, $0.new) = ($0.new, []) }
                await makeAll()
            } while endPass()
        }
    }

    /// - Returns: whether another pass follows.
    private func endPass() -> Bool {
        state.withLock { state in
            (state.current, state.hasEnded) = ([], true)
            setMissing(state.missing)
            defer { (state.isRunning, state.isToRunAgain) = (state.isToRunAgain, false) }
            return state.isToRunAgain
        }
    }

    private func makeAll() async {
        let newest = FetchOptions(sortDescriptors: [AssetSortDescriptor(.creationDate, ascending: false)])
        let pass = Pass(library.fetchAssets(with: newest))
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<width {
                group.addTask { [self] in
                    while let asset = pass.next() {
                        guard !state.withLock({ $0.failures.contains(Picture(asset)) }) else { continue }
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
        do throws(ImageRequestError) {
            _ = try await manager.image(for: asset, targetSize: PixelSize(width: 96, height: 96), options: options)
        } catch {
            guard error.wouldComeAgain else { return }
            state.withLock { state in
                if state.failures.count >= Self.failureLimit { state.failures = [] }
                state.failures.insert(Picture(asset))
            }
        }
    }
}

extension ImageRequestError {
    /// Whether another attempt would take as long and fail as well. The manager remembers what lies in a file alone, and not what
    /// runs into a limit, which may be another one for another image.
    fileprivate var wouldComeAgain: Bool {
        switch self {
        case .unsupportedMedia, .rendering(.limitExceeded): true
        case .rendering(let error): error.isCausedByFile
        default: false
        }
    }
}
