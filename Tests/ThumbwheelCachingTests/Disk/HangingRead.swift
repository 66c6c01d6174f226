import Dispatch
import Foundation
import Testing
import ThumbwheelCore
import ThumbwheelLocks

@testable import ThumbwheelCaching

/// A disk on which one read of a look-up hangs until the test lets it go on.
final class HangingRead: Sendable {
    private let isToHang = Mutex(false)
    private let begun = DispatchSemaphore(value: 0)
    private let gate = DispatchSemaphore(value: 0)
    private let ended = DispatchSemaphore(value: 0)

    /// The access for the store's files.
    var access: StoreFileAccess {
        StoreFileAccess(read: { [self] descriptor, buffer, offset in
            let hangs = isToHang.withLock { isToHang in
                defer { isToHang = false }
                return isToHang
            }
            if hangs {
                begun.signal()
                gate.wait()
            }
            return pread(descriptor, buffer.baseAddress!, buffer.count, off_t(offset))
        })
    }

    /// Looks up value 1 on a thread of its own, and returns once the read hangs. The store must have written the value.
    func hang(_ store: DiskStore) throws {
        isToHang.withLock { $0 = true }
        let isStarted = DetachedThread.start(named: "look-up") { [self] in
            #expect(store.value(for: StoreFixture.key(1)) == StoreFixture.value(1, byteCount: 12_288))
            ended.signal()
        }
        try #require(isStarted)
        begun.wait()
    }

    /// Lets the read go on, and returns when the look-up has ended.
    func goOn() {
        gate.signal()
        ended.wait()
    }
}
