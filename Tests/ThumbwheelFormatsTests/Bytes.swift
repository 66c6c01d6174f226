import ThumbwheelCore
import ThumbwheelFormats

extension [UInt8] {
    /// `value` in `width` bytes, the highest first.
    static func big(_ value: Int, _ width: Int) -> [UInt8] {
        (0..<width).map { UInt8(truncatingIfNeeded: value >> (8 * (width - 1 - $0))) }
    }

    /// `value` in `width` bytes, the lowest first.
    static func little(_ value: Int, _ width: Int) -> [UInt8] {
        big(value, width).reversed()
    }

    static func text(_ text: String) -> [UInt8] {
        [UInt8](text.utf8)
    }

    static func zeros(_ count: Int) -> [UInt8] {
        [UInt8](repeating: 0, count: count)
    }
}

/// The head that `bytes` give as a file.
func head(_ bytes: [UInt8]) throws(HeadError) -> ImageHead {
    try ImageHead(reading: MemoryByteSource(bytes))
}

/// The error that `bytes` give as a file; nil for a head.
func headError(_ bytes: [UInt8]) -> HeadError? {
    do throws(HeadError) {
        _ = try head(bytes)
        return nil
    } catch {
        return error
    }
}

extension HeadError {
    var isMalformed: Bool { if case .malformed = self { true } else { false } }
    var isLimitExceeded: Bool { if case .limitExceeded = self { true } else { false } }
}

/// The parts of a JPEG, to be strung together.
enum JPEGBytes {
    static let start: [UInt8] = [0xFF, 0xD8]
    static let end: [UInt8] = [0xFF, 0xD9]

    static func segment(_ marker: UInt8, _ payload: [UInt8]) -> [UInt8] {
        [0xFF, marker] + .big(payload.count + 2, 2) + payload
    }

    static func frame(
        _ width: Int, _ height: Int, marker: UInt8 = 0xC0, precision: Int = 8, factors: [UInt8] = [0x22, 0x11, 0x11]
    ) -> [UInt8] {
        var payload: [UInt8] = [UInt8(precision)] + .big(height, 2) + .big(width, 2) + [UInt8(factors.count)]
        for (index, factor) in factors.enumerated() { payload += [UInt8(index + 1), factor, 0] }
        return segment(marker, payload)
    }

    static let scan = segment(0xDA, [1, 1, 0, 0, 63, 0])

    static func exif(_ block: [UInt8]) -> [UInt8] {
        segment(0xE1, .text("Exif\0\0") + block)
    }
}

/// The parts of a PNG; checksums are left zero, as a head does not look at them.
enum PNGBytes {
    static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    static func chunk(_ kind: String, _ payload: [UInt8] = []) -> [UInt8] {
        .big(payload.count, 4) + .text(kind) + payload + .zeros(4)
    }

    static func header(_ width: Int, _ height: Int, depth: UInt8 = 8, colorType: UInt8 = 2) -> [UInt8] {
        signature + chunk("IHDR", .big(width, 4) + .big(height, 4) + [depth, colorType, 0, 0, 0])
    }
}

/// A source that counts what is read from it.
final class CountingSource: ByteSource {
    let contents: MemoryByteSource
    let tally = Tally()

    init(_ bytes: [UInt8]) {
        contents = MemoryByteSource(bytes)
    }

    var byteCount: Int { contents.byteCount }

    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) -> Int {
        let count = contents.read(into: buffer, at: offset)
        tally.add(count)
        return count
    }
}

extension EmbeddedProfile {
    /// Name and colour space alone.
    var withoutSize: EmbeddedProfile { EmbeddedProfile(name: name, colorSpace: colorSpace) }
}
