import ThumbwheelLocks

import struct Synchronization.Atomic

/// Holds a decoder that does not belong to this library; empty until one is installed. The program that uses this
/// library may install one. The first installed decoder is never replaced.
final class InstalledDecoder<Maker: Sendable>: Sendable {
    private let state = Mutex<Maker?>(nil)
    // Whether a decoder is installed. The flag is atomic and not protected by the lock, because every prediction of a
    // request's cost reads it.
    private let flag = Atomic(false)

    /// The function that makes the decoder; nil if no decoder has been installed.
    var maker: Maker? { state.withLock { $0 } }

    var isInstalled: Bool { flag.load(ordering: .acquiring) }

    /// Installs a decoder. A decoder that is installed already is not replaced.
    func install(_ maker: Maker) {
        state.withLock { $0 = $0 ?? maker }
        flag.store(true, ordering: .releasing)
    }
}
