import Thumbwheel
import ThumbwheelCore

/// The photographs of a result, identified by their contents and not by their names.
public struct PhotographSet: Encodable, Sendable, Equatable {
    /// The number of photographs.
    public var count: Int
    /// The length of all photographs together, in bytes.
    public var bytes: Int
    /// A hash of the photographs, in hexadecimal digits, of one of two kinds:
    ///
    /// - FNV-1a, 64 bits, over all contents in the order of their use,
    /// - `outline-` and XXH64 over a digest of each photograph's length, beginning and end, in the same order.
    public var contentHash: String

    /// The number of bytes, at the beginning and at the end of a photograph, that count for its outline: enough for the
    /// metadata that cameras write, and for pixels that tell one picture of a series from the next.
    private static let outlineByteCount = 16 << 10

    /// The prefix of a hash of outlines, which cannot be compared with a hash of all contents.
    static let outlinePrefix = "outline-"

    /// Reads all of `sources`, one after another. This is meant for few and small photographs, if a result depends on every
    /// byte of them.
    public init(reading sources: some Sequence<any ByteSource>) throws(ByteSourceError) {
        var digest = ContentDigest()
        count = 0
        bytes = 0
        for source in sources {
            try digest.append(source)
            count += 1
            bytes += source.byteCount
        }
        contentHash = Self.digits(digest.value)
    }

    /// Reads the beginning and the end of each of `sources`, one after another.
    ///
    /// - Parameters:
    ///   - sources: The photographs, in the order of their use.
    ///   - progress: Receives the number of photographs read so far, after each one.
    public init(
        outlining sources: some Sequence<any ByteSource>, progress: (Int) -> Void = { _ in }
    ) throws(ByteSourceError) {
        var outlines: [UInt8] = []
        count = 0
        bytes = 0
        for source in sources {
            outlines += Self.littleEndian(try Self.outline(of: source))
            count += 1
            bytes += source.byteCount
            progress(count)
        }
        contentHash = Self.outlinePrefix + Self.digits(XXHash64.digest(outlines))
    }

    private static func outline(of source: any ByteSource) throws(ByteSourceError) -> UInt64 {
        let length = source.byteCount
        let headEnd = min(length, outlineByteCount)
        var outline = littleEndian(UInt64(length))
        outline += try source.bytes(in: 0..<headEnd)
        outline += try source.bytes(in: max(headEnd, length - outlineByteCount)..<length)
        return XXHash64.digest(outline)
    }

    private static func littleEndian(_ word: UInt64) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: word >> ($0 * 8)) }
    }

    private static func digits(_ value: UInt64) -> String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
