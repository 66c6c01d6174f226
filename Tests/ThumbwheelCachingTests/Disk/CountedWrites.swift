import Foundation
import ThumbwheelLocks

@testable import ThumbwheelCaching

/// Notes the bytes of each call that writes to a segment.
final class CountedWrites: Sendable {
    private let counts = Mutex<[Int]>([])

    var byteCounts: [Int] { counts.withLock { $0 } }

    var access: StoreFileAccess {
        StoreFileAccess(write: { [self] descriptor, bytes, offset in
            counts.withLock { $0.append(bytes.count) }
            return pwrite(descriptor, bytes.baseAddress!, bytes.count, off_t(offset))
        })
    }
}
