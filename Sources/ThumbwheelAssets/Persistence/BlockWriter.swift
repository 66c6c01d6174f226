/// Gathers the bytes of one block of a library's file: numbers little end first, columns as they lie in memory.
struct BlockWriter {
    private(set) var bytes: [UInt8] = []

    init() {}

    /// Begins another block in the same memory.
    mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

    mutating func write<Number: FixedWidthInteger>(_ number: Number) {
        withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
    }

    /// Bytes that the reader knows the number of.
    mutating func write(raw values: [UInt8]) { bytes.append(contentsOf: values) }

    mutating func write(_ number: Double) { write(number.bitPattern) }

    mutating func write(_ truth: Bool) { bytes.append(truth ? 1 : 0) }

    mutating func write(count: Int) { write(UInt64(count)) }

    /// Texts are kept byte by byte: two that are equal to a reader may be two names to a file system.
    mutating func write(_ text: String) {
        write(count: text.utf8.count)
        bytes.append(contentsOf: text.utf8)
    }

    /// An array of any length, with its length.
    mutating func write<Value: BitwiseCopyable>(_ values: [Value]) {
        write(count: values.count)
        values.withUnsafeBytes { bytes.append(contentsOf: $0) }
    }

    /// Up to 255 bytes, with their count in one.
    mutating func write(shortBytes values: [UInt8]) {
        write(UInt8(values.count))
        bytes.append(contentsOf: values)
    }

    /// A list of any length, item by item.
    mutating func write<Item>(each items: some Collection<Item>, _ body: (inout BlockWriter, Item) -> Void) {
        write(count: items.count)
        for item in items { body(&self, item) }
    }

    mutating func write<Value>(optional value: Value?, _ body: (inout BlockWriter, Value) -> Void) {
        write(value != nil)
        if let value { body(&self, value) }
    }

    /// A column of a chunk without the room behind its rows.
    mutating func write<Value: BitwiseCopyable>(column: [Value], count: Int) {
        column.withUnsafeBytes { bytes.append(contentsOf: $0.prefix(count * MemoryLayout<Value>.stride)) }
    }

    /// A column that is empty where no row of the chunk has what it is for.
    mutating func write<Value: BitwiseCopyable>(sparse column: [Value], count: Int) {
        write(!column.isEmpty)
        if !column.isEmpty { write(column: column, count: count) }
    }
}
