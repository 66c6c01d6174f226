import struct Synchronization.Atomic

/// Prevents decoders of other libraries from getting a file's bytes while an image is made in the host's process (the
/// process of the program that uses this library).
///
/// Every such decoder asks the fence before it starts (`DecodeGuard.checkForeignCodeIsAllowed`), and the fence refuses.
/// The renderer then repeats the whole rendering in a decoder process.
final class DecoderFence: Sendable {
    private let flag = Atomic(false)

    /// Whether this object has refused to let a decoder of another library start. If so, the rendering is repeated in a
    /// decoder process.
    var wasReached: Bool { flag.load(ordering: .acquiring) }

    func noteReached() { flag.store(true, ordering: .releasing) }
}
