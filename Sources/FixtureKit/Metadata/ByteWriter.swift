/// Bytes written one field after the other.
struct ByteWriter {
    let order: ByteOrder
    private(set) var bytes: [UInt8] = []

    init(_ order: ByteOrder) { self.order = order }

    mutating func write(_ value: UInt8) { bytes.append(value) }

    mutating func write(_ value: UInt16) { writeInteger(value) }

    mutating func write(_ value: UInt32) { writeInteger(value) }

    mutating func write(_ text: String) { bytes.append(contentsOf: text.utf8) }

    mutating func write(_ more: some Sequence<UInt8>) { bytes.append(contentsOf: more) }

    mutating func pad(toMultipleOf alignment: Int) {
        while bytes.count % alignment != 0 { bytes.append(0) }
    }

    private mutating func writeInteger(_ value: some FixedWidthInteger) {
        let ordered = order == .bigEndian ? value.bigEndian : value.littleEndian
        withUnsafeBytes(of: ordered) { bytes.append(contentsOf: $0) }
    }
}
