import struct Synchronization.Atomic

/// Keeps a rendering in the host's process from giving the file's bytes to decoders of other libraries. The host is the
/// program that uses this library.
///
/// Every such decoder asks the fence before it starts (`DecodeGuard.checkForeignCodeIsAllowed`), and the fence refuses.
/// The renderer then repeats the whole rendering in a decoder process.
final class DecoderFence: Sendable {
    private let flag = Atomic(false)

    /// Whether this object has refused to let a decoder of another library start.
    var wasReached: Bool { flag.load(ordering: .acquiring) }

    func noteReached() { flag.store(true, ordering: .releasing) }
}
