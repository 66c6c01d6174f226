import ThumbwheelLocks

import struct Synchronization.Atomic

/// Holds the function that makes a decoder from outside this library, or the function of an exporter. It is empty until
/// the program that uses this library installs such a function. The first installed function is never replaced.
final class InstalledDecoder<Maker: Sendable>: Sendable {
    private let state = Mutex<Maker?>(nil)
    // Whether a function is installed. The flag is atomic and not protected by the lock, because every prediction of a
    // request's cost reads it.
    private let flag = Atomic(false)

    /// The function that makes the decoder, or the function of the exporter; nil if none has been installed.
    var maker: Maker? { state.withLock { $0 } }

    var isInstalled: Bool { flag.load(ordering: .acquiring) }

    /// Installs a function. A function that is installed already is not replaced.
    func install(_ maker: Maker) {
        state.withLock { $0 = $0 ?? maker }
        flag.store(true, ordering: .releasing)
    }
}
