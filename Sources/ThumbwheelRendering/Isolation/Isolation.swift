/// The choice of files that are decoded in a separate process.
///
/// Before a decoder process gets the first byte of a file, it gives up all rights except to compute. If the process
/// crashes, does not finish or takes too much memory, that one file fails with an error. The host (the program that
/// uses this library) goes on.
public enum Isolation: String, Sendable, Hashable, CaseIterable {
    /// No files are decoded in a separate process: all decoders run in the host's process.
    case none
    /// Files whose pixels or colours only a C library can decode are decoded in a separate process: HEIC, AVIF and
    /// WebP, frames of videos, and rare kinds of the other formats. All other files are decoded in the host's process
    /// by this library's own decoders, in Swift. These decoders trust one C library, ISA-L, which inflates compressed
    /// data for them.
    case untrusted
    /// All files are decoded in separate processes.
    case all

    /// Whether a file that is decoded by `decoder` is decoded in a separate process.
    func includes(_ decoder: RenderedImage.Decoder) -> Bool {
        switch self {
        case .none: false
        case .untrusted: decoder.isForeign
        case .all: true
        }
    }
}
