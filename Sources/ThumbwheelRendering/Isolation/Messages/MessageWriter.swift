/// Writes the fields of a message one after another. Numbers take 8 bytes, with the least significant byte first.
struct MessageWriter {
    private(set) var bytes: [UInt8] = []

    mutating func write(_ byte: UInt8) { bytes.append(byte) }

    mutating func write(_ number: Int) {
        let bits = UInt64(bitPattern: Int64(number))
        for shift in stride(from: 0, to: 64, by: 8) { bytes.append(UInt8(truncatingIfNeeded: bits >> UInt64(shift))) }
    }

    mutating func write(_ number: Double) { write(Int(Int64(bitPattern: number.bitPattern))) }

    mutating func write(_ flag: Bool) { bytes.append(flag ? 1 : 0) }

    /// Writes the number of the bytes, and the bytes.
    mutating func write(_ block: [UInt8]) {
        write(block.count)
        bytes += block
    }

    mutating func write(_ text: String) { write(Array(text.utf8)) }
}
