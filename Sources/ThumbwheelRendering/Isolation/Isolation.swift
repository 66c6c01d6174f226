/// The files that are decoded outside the process.
///
/// A decoder outside the process runs in a process of its own, which has given up every right but to compute before it
/// gets the first byte of a file. If it crashes, runs in circles or takes too much memory, that one file fails with an
/// error, and the host (the program that uses this library) goes on.
public enum Isolation: String, Sendable, Hashable, CaseIterable {
    /// No file: all decoders run in the host's process.
    case none
    /// Files whose pixels or colours only a C library can decode: HEIC, AVIF and WebP, frames of videos, and rare
    /// kinds of the other formats. The other files are decoded in the host's process by this library's own decoders, in Swift. These
    /// decoders let ISA-L, a C library, inflate compressed data.
    case untrusted
    /// All files.
    case all
}
