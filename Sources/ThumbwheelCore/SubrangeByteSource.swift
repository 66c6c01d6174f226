/// A part of another source, for instance a preview inside a photograph's file.
public struct SubrangeByteSource: ByteSource {
    /// The source that this one is a part of.
    public let base: any ByteSource
    /// The place of the part in `base`, as byte offsets.
    public let range: Range<Int>

    /// - Parameter range: the byte offsets in `base`; cut off at the end of `base`.
    public init(_ base: any ByteSource, range: Range<Int>) {
        self.base = base
        self.range = range.clamped(to: 0..<base.byteCount)
    }

    public var byteCount: Int { range.count }

    public func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(ByteSourceError) -> Int {
        guard offset >= 0, offset < range.count else { return 0 }
        let count = min(buffer.count, range.count - offset)
        return try base.read(
            into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<count]), at: range.lowerBound + offset)
    }
}
