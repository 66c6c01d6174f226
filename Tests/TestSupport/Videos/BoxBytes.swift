/// The boxes of MP4 and QuickTime files, as bytes.
package enum BoxBytes {
    /// `value` in `width` bytes, the highest first.
    package static func big(_ value: Int, _ width: Int) -> [UInt8] {
        (0..<width).map { UInt8(truncatingIfNeeded: value >> (8 * (width - 1 - $0))) }
    }

    /// The characters of a box's kind; the sign © is one byte there.
    package static func kind(_ kind: String) -> [UInt8] {
        kind.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
    }

    /// A box.
    package static func box(_ kind: String, _ payload: [UInt8], isWide: Bool = false) -> [UInt8] {
        isWide
            ? big(1, 4) + self.kind(kind) + big(payload.count + 16, 8) + payload
            : big(payload.count + 8, 4) + self.kind(kind) + payload
    }

    /// A box with a version and flags.
    package static func full(_ kind: String, version: Int = 0, flags: Int = 0, _ payload: [UInt8]) -> [UInt8] {
        box(kind, big(version << 24 | flags, 4) + payload)
    }

    /// A matrix of four numbers that turn, mirror and scale, in 65 536ths.
    package static func matrix(_ a: Int, _ b: Int, _ c: Int, _ d: Int) -> [UInt8] {
        [a, b, 0, c, d, 0, 0, 0, 0x4000_0000].flatMap { big($0, 4) }
    }

    /// The matrix that changes nothing.
    package static let identity = matrix(1 << 16, 0, 0, 1 << 16)
}
