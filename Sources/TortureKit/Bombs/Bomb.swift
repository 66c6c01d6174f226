/// A file that would cost much if it were believed, and what it must end as.
package struct Bomb: Sendable {
    package let name: String
    /// The file's bytes, followed by zeros up to `byteCount`.
    package let front: [UInt8]
    package let byteCount: Int
    /// The error that rendering it must end with; nil where an image is as well.
    package let code: String?

    init(_ name: String, _ front: [UInt8], byteCount: Int? = nil, endsWith code: String?) {
        self.name = name
        self.front = front
        self.byteCount = byteCount ?? front.count
        self.code = code
    }

    /// Bytes that one call may read, and memory that it may take.
    package static let byteLimit = 1 << 20

    /// Every kind.
    package static func all() -> [Bomb] { hugeSizes + manyScans + manyParts + largeProfiles + manyFrames + circles }
}

extension [UInt8] {
    /// `value` in `width` bytes, the highest first.
    static func big(_ value: Int, _ width: Int) -> [UInt8] {
        (0..<width).map { UInt8(truncatingIfNeeded: value >> (8 * (width - 1 - $0))) }
    }

    /// `value` in `width` bytes, the lowest first.
    static func little(_ value: Int, _ width: Int) -> [UInt8] {
        big(value, width).reversed()
    }

    static func text(_ text: String) -> [UInt8] { [UInt8](text.utf8) }

    static func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }

    static func repeated(_ count: Int, _ bytes: [UInt8]) -> [UInt8] {
        var all: [UInt8] = []
        all.reserveCapacity(count * bytes.count)
        for _ in 0..<count { all += bytes }
        return all
    }
}
