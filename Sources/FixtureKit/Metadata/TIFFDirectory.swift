/// One image file directory of a TIFF stream (TIFF 6.0, section 2), the structure that EXIF is made of too.
struct TIFFDirectory {
    /// A field's values, and with them its type.
    enum Value {
        case bytes([UInt8])
        case text(String)
        case shorts([UInt16])
        case longs([UInt32])
        case rationals([(UInt32, UInt32)])
        case undefined([UInt8])
    }

    private(set) var fields: [UInt16: Value] = [:]

    subscript(tag: UInt16) -> Value? {
        get { fields[tag] }
        set { fields[tag] = newValue }
    }

    /// How many bytes the directory takes, with the values that lie outside of its entries.
    func byteCount(_ order: ByteOrder) -> Int { encoded(at: 0, next: 0, order: order).count }

    /// The directory for a place `offset` bytes into the stream; `next` is where the next directory is, or zero.
    func encoded(at offset: Int, next: Int, order: ByteOrder) -> [UInt8] {
        var entries = ByteWriter(order)
        var values = ByteWriter(order)
        let valuesOffset = offset + 2 + 12 * fields.count + 4
        entries.write(UInt16(fields.count))
        // Entries are sorted by tag, as the standard demands.
        for (tag, value) in fields.sorted(by: { $0.key < $1.key }) {
            let (type, count, payload) = value.encoded(order)
            entries.write(tag)
            entries.write(type)
            entries.write(UInt32(count))
            if payload.count <= 4 {
                entries.write(payload)
                entries.write(repeatElement(0, count: 4 - payload.count))
            } else {
                entries.write(UInt32(valuesOffset + values.bytes.count))
                values.write(payload)
                values.pad(toMultipleOf: 2)
            }
        }
        entries.write(UInt32(next))
        return entries.bytes + values.bytes
    }

    /// The eight bytes before the first directory.
    static func header(_ order: ByteOrder) -> [UInt8] {
        var writer = ByteWriter(order)
        writer.write(order == .bigEndian ? "MM" : "II")
        writer.write(UInt16(42))
        writer.write(UInt32(8))
        return writer.bytes
    }
}

extension TIFFDirectory.Value {
    fileprivate func encoded(_ order: ByteOrder) -> (type: UInt16, count: Int, payload: [UInt8]) {
        var writer = ByteWriter(order)
        switch self {
        case .bytes(let bytes):
            return (1, bytes.count, bytes)
        case .text(let text):
            return (2, text.utf8.count + 1, Array(text.utf8) + [0])
        case .shorts(let values):
            for value in values { writer.write(value) }
            return (3, values.count, writer.bytes)
        case .longs(let values):
            for value in values { writer.write(value) }
            return (4, values.count, writer.bytes)
        case .rationals(let values):
            for (numerator, denominator) in values {
                writer.write(numerator)
                writer.write(denominator)
            }
            return (5, values.count, writer.bytes)
        case .undefined(let bytes):
            return (7, bytes.count, bytes)
        }
    }
}
