/// A finite run of bytes that can be read in any order: a file, memory, a part of another source.
///
/// Reads may come from several threads at once. What a source reads never changes during its life.
public protocol ByteSource: Sendable {
    /// The source's length in bytes.
    var byteCount: Int { get }

    /// Copies bytes that begin at `offset` into `buffer`.
    ///
    /// - Returns: how many bytes were copied: `buffer.count`, or fewer where the source ends first; 0 at or past its end.
    /// - Throws: `ByteSourceError` if the bytes cannot be read.
    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(ByteSourceError) -> Int
}

/// Why bytes could not be had.
public enum ByteSourceError: Error, Equatable, Sendable {
    /// There is no file at this path.
    case notFound(path: String)
    /// The file exists but cannot be read; `code` is the system's error number.
    case unreadable(path: String, code: Int32)
    /// The path leads to something that is not a regular file.
    case notAFile(path: String)
    /// The bytes are elsewhere, and the network did not bring them.
    case network(NetworkError)
}

extension ByteSource {
    /// The bytes of `range`, cut off where the source ends.
    ///
    /// - Throws: `ByteSourceError` if the bytes cannot be read.
    public func bytes(in range: Range<Int>) throws(ByteSourceError) -> [UInt8] {
        let wanted = range.clamped(to: 0..<byteCount)
        guard !wanted.isEmpty else { return [] }
        var failure: ByteSourceError?
        let bytes = [UInt8](unsafeUninitializedCapacity: wanted.count) { buffer, count in
            do throws(ByteSourceError) {
                count = try read(into: UnsafeMutableRawBufferPointer(buffer), at: wanted.lowerBound)
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        return bytes
    }

    /// All bytes of the source.
    ///
    /// - Throws: `ByteSourceError` if the bytes cannot be read.
    public func bytes() throws(ByteSourceError) -> [UInt8] {
        try bytes(in: 0..<byteCount)
    }
}
