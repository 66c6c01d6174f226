import TestSupport
import Testing
import ThumbwheelCore
import ThumbwheelLocks

@testable import Thumbwheel

/// The pipeline must release objects of the host outside its lock, because their deinitializers may run any code. If
/// the lock were held, each of these tests would end the process.
@Suite(.endsHangs) struct HostObjectTests {
    /// The ways in which the pipeline's last reference to an asset ends.
    enum Departure: CaseIterable {
        case cancelled, allCancelled, overdue, shed, moved, notCached, forgotten, shutDown
    }

    /// A provider that runs a closure when it is destroyed.
    private final class Provider: ResourceProvider {
        let identifier = "provider"
        let requiresNetwork = false
        private let atEnd: @Sendable () -> Void

        init(_ atEnd: @escaping @Sendable () -> Void) {
            self.atEnd = atEnd
        }

        deinit {
            atEnd()
        }

        func open() -> any ByteSource { MemoryByteSource([]) }
    }

    private final class Flag: Sendable {
        private let state = Mutex(false)
        var isSet: Bool { state.withLock { $0 } }
        func set() { state.withLock { $0 = true } }
    }

    private let renderer = SuspendableRenderer(isSuspended: true)

    private func asset(_ number: Int, _ provider: any ResourceProvider) -> Asset {
        Asset(
            identifier: AssetIdentifier(high: 2, low: UInt64(number)), head: Pictures.asset(number).head,
            resource: .provider(provider), fileSize: 1000, originalFilename: "")
    }

    @Test(
        "a provider may look at the manager as it goes, however its asset's request or window ends",
        arguments: Departure.allCases)
    func provider(departure: Departure) async {
        let limits = QueueLimits(prefetch: 1)
        let manager = ImageManager(renderer, workers: 1, queueLimits: limits)
        let caching = CachingImageManager(manager)
        let isGone = Flag()
        manager.requestImage(for: Pictures.asset(1), targetSize: .small) { _ in }
        await renderer.waitForCalls(1)
        func ask() -> ImageRequestID? {
            let provider = Provider { [weak manager] in
                _ = manager?.statistics
                isGone.set()
            }
            let asset = asset(9, provider)
            guard departure != .notCached, departure != .forgotten else {
                caching.startCachingImages(for: [asset], targetSize: .small)
                return nil
            }
            let options = ImageRequestOptions {
                $0.priority = .prefetch
                $0.deadline = departure == .overdue ? .seconds(3600) : nil
            }
            return manager.requestImage(for: asset, targetSize: .small, options: options) { _ in }
        }
        let id = ask()
        #expect(!isGone.isSet)
        switch departure {
        case .cancelled: manager.cancelImageRequest(id!)
        case .allCancelled: manager.cancelAllRequests()
        case .overdue:
            manager.pipeline.apply { state, now in state.timePassed(at: now.advanced(by: .seconds(7200))) }
        case .shed:
            let options = ImageRequestOptions { $0.priority = .prefetch }
            manager.requestImage(for: Pictures.asset(2), targetSize: .small, options: options) { _ in }
        case .moved:
            manager.setPriority(.userInitiated, of: id!)
            manager.cancelImageRequest(id!)
        case .notCached: caching.stopCachingImagesForAllAssets()
        case .forgotten: manager.forgetImages(of: [AssetIdentifier(high: 2, low: 9)])
        case .shutDown: manager.pipeline.shutDown()
        }
        #expect(isGone.isSet || departure == .forgotten)
        renderer.resume()
        await manager.shutdown(graceful: false)
        #expect(isGone.isSet)
    }

    /// A host's object that owns the manager, and that its own providers hold.
    private final class Service: Sendable {
        let manager: ImageManager
        init(_ manager: ImageManager) { self.manager = manager }
    }

    @Test("a manager may be destroyed with the provider that owns it, while a request's token is cancelled")
    func owner() async {
        let token = CancellationToken()
        let isGone = Flag()
        weak var pipeline: ImagePipeline?
        func serve() {
            let service = Service(ImageManager(renderer, workers: 1))
            pipeline = service.manager.pipeline
            service.manager.requestImage(for: Pictures.asset(1), targetSize: .small) { _ in }
            let provider = Provider {
                _ = service
                isGone.set()
            }
            service.manager.requestImage(
                for: asset(9, provider), targetSize: .small,
                options: ImageRequestOptions { $0.cancellationToken = token }
            ) { _ in }
        }
        serve()
        await renderer.waitForCalls(1)
        #expect(!isGone.isSet)
        token.cancel()
        #expect(isGone.isSet)
        renderer.resume()
        _ = pipeline?.shutDownAndWait()
    }

    /// A sequence of identifiers that calls the manager while it is iterated.
    private struct Curious: Sequence, IteratorProtocol, Sendable {
        let manager: ImageManager
        var count = 3

        mutating func next() -> AssetIdentifier? {
            _ = manager.statistics
            count -= 1
            return count < 0 ? nil : AssetIdentifier(high: 1, low: UInt64(count))
        }
    }

    @Test("a host's sequence of identifiers may call the manager while it is iterated")
    func sequence() {
        let manager = ImageManager(renderer)
        manager.forgetImages(of: Curious(manager: manager))
        #expect(manager.statistics.liveRequestCount == 0)
    }
}
