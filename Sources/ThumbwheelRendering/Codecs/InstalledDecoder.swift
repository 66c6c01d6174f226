import ThumbwheelLocks

import struct Synchronization.Atomic

/// Holds the function that makes a decoder from outside this library, or the function of an exporter. It is empty until
/// the program that uses this library installs such a function. The first installed function is never replaced.
final class InstalledDecoder<Maker: Sendable>: Sendable {
    private let state = Mutex<(maker: Maker, version: String)?>(nil)
    // Whether a function is installed. The flag is atomic and not protected by the lock, because every prediction of a
    // request's cost reads it.
    private let flag = Atomic(false)

    /// The function that makes the decoder, or the function of the exporter; nil if none has been installed.
    var maker: Maker? { state.withLock { $0?.maker } }

    /// The version of what the function uses to decode; nil if no function has been installed.
    var version: String? { state.withLock { $0?.version } }

    var isInstalled: Bool { flag.load(ordering: .acquiring) }

    /// Installs a function. A function that is installed already is not replaced.
    func install(_ maker: Maker, version: String = "") {
        state.withLock { $0 = $0 ?? (maker, version) }
        flag.store(true, ordering: .releasing)
    }
}
