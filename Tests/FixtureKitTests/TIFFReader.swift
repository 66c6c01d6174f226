import FixtureKit

/// Just enough of a TIFF reader to look at what was written, by other code than wrote it.
struct TIFFReader {
    let bytes: [UInt8]
    let order: ByteOrder

    init?(_ bytes: [UInt8]) {
        switch bytes.prefix(4) {
        case [0x49, 0x49, 42, 0]: order = .littleEndian
        case [0x4D, 0x4D, 0, 42]: order = .bigEndian
        default: return nil
        }
        self.bytes = bytes
    }

    func integer(at offset: Int, byteCount: Int) -> Int {
        let field = bytes[offset..<offset + byteCount]
        let ordered = order == .bigEndian ? Array(field) : field.reversed()
        return ordered.reduce(0) { $0 << 8 | Int($1) }
    }

    /// The fields of the directory at `offset`, as the bytes of their values, and the next directory's offset.
    func directory(at offset: Int) -> (fields: [Int: [UInt8]], next: Int) {
        let sizes = [1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 7: 1]
        let count = integer(at: offset, byteCount: 2)
        var fields: [Int: [UInt8]] = [:]
        for entry in stride(from: offset + 2, to: offset + 2 + 12 * count, by: 12) {
            let size = sizes[integer(at: entry + 2, byteCount: 2), default: 0] * integer(at: entry + 4, byteCount: 4)
            let place = size <= 4 ? entry + 8 : integer(at: entry + 8, byteCount: 4)
            fields[integer(at: entry, byteCount: 2)] = Array(bytes[place..<place + size])
        }
        return (fields, integer(at: offset + 2 + 12 * count, byteCount: 4))
    }

    var first: (fields: [Int: [UInt8]], next: Int) { directory(at: integer(at: 4, byteCount: 4)) }

    /// A value of two or four bytes.
    func number(_ value: [UInt8]?) -> Int? {
        guard let value, let part = TIFFReader(Array(bytes[..<4]) + value) else { return nil }
        return part.integer(at: 4, byteCount: value.count)
    }

    func text(_ value: [UInt8]?) -> String? { value.map { String(decoding: $0.dropLast(), as: UTF8.self) } }
}
