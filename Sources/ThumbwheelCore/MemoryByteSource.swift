/// Bytes that are already in memory.
public struct MemoryByteSource: ByteSource {
    /// The bytes of the source.
    public let contents: [UInt8]

    /// Makes a source from bytes.
    public init(_ contents: [UInt8]) {
        self.contents = contents
    }

    public var byteCount: Int { contents.count }

    public func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) -> Int {
        guard offset >= 0, offset < contents.count else { return 0 }
        let count = min(buffer.count, contents.count - offset)
        contents.withUnsafeBytes { bytes in
            buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + count]))
        }
        return count
    }
}
