import struct Synchronization.Atomic

/// A fence around a rendering in the host's process. The rendering must not give the bytes of the file to the decoders of
/// other libraries.
///
/// Every such decoder asks the fence before it starts (`DecodeGuard.requireForeignCode`). If one does, its part of the
/// rendering fails, and the renderer repeats the whole rendering in a decoder process.
final class DecoderFence: Sendable {
    private let flag = Atomic(false)

    /// Whether a decoder of another library was needed.
    var wasReached: Bool { flag.load(ordering: .acquiring) }

    func noteReached() { flag.store(true, ordering: .releasing) }
}
