import ThumbwheelAssets
import ThumbwheelCore
import ThumbwheelFormats
import ThumbwheelLocks
import ThumbwheelPipeline
import ThumbwheelRendering

/// Watches over the objects of a simulated host. None may be destroyed while the pipeline's lock is held, because its
/// deinitializer might ask for that lock.
package final class HostWatch: Sendable {
    private struct State {
        var isLocked = false
        var lossCount = 0
    }

    private let state = Mutex(State())

    package init() {}

    /// The number of objects that were destroyed while the lock was held.
    package var lossCount: Int { state.withLock { $0.lossCount } }

    /// Runs `body` as if the lock were held.
    package func locked<Result>(_ body: () -> Result) -> Result {
        state.withLock { $0.isLocked = true }
        defer { state.withLock { $0.isLocked = false } }
        return body()
    }

    /// An asset whose bytes come from an object of the host.
    package func asset(_ identifier: AssetIdentifier) -> Asset {
        Asset(
            identifier: identifier,
            head: ImageHead(contentType: .jpeg, storedSize: PixelSize(width: 1024, height: 1024)),
            resource: .provider(HostObject(self)), fileSize: 0, originalFilename: "")
    }

    /// A receiver whose handler holds an object of the host.
    package func receiver() -> ResultReceiver {
        let object = HostObject(self)
        return ResultReceiver(executor: .inline, tracking: nil, handler: { (_: ImageResult) in object.touch() })
    }

    fileprivate func noteEnd() {
        state.withLock { if $0.isLocked { $0.lossCount += 1 } }
    }
}

private final class HostObject: ResourceProvider {
    let identifier = "host"
    let requiresNetwork = false
    private let watch: HostWatch

    init(_ watch: HostWatch) {
        self.watch = watch
    }

    deinit {
        watch.noteEnd()
    }

    func touch() {}

    func open() -> any ByteSource { MemoryByteSource([]) }
}
