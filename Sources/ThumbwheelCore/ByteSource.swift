/// A sequence of bytes that can be read in any order, such as a file, memory, or a part of another source.
///
/// Reads may come from several threads at once. The bytes of a source never change during its life.
public protocol ByteSource: Sendable {
    /// The source's length in bytes.
    var byteCount: Int { get }

    /// Copies bytes that begin at `offset` into `buffer`.
    ///
    /// - Returns: how many bytes were copied: `buffer.count`, or fewer if the source ends first; 0 at or past its end.
    /// - Throws: `ByteSourceError` if the bytes cannot be read.
    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(ByteSourceError) -> Int
}

extension ByteSource {
    /// Returns the bytes of `range`, cut off at the end of the source.
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

    /// Returns all bytes of the source.
    ///
    /// - Throws: `ByteSourceError` if the bytes cannot be read.
    public func bytes() throws(ByteSourceError) -> [UInt8] {
        try bytes(in: 0..<byteCount)
    }
}
