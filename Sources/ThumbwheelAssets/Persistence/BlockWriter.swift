/// A writer that collects the bytes of one block of a library's file. Numbers are little-endian, and columns are written
/// as they lie in memory.
struct BlockWriter {
    private(set) var bytes: [UInt8] = []

    init() {}

    /// Starts another block in the same memory.
    mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

    mutating func write<Number: FixedWidthInteger>(_ number: Number) {
        withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
    }

    /// Writes bytes without their count. The reader must know the count.
    mutating func write(raw values: [UInt8]) { bytes.append(contentsOf: values) }

    mutating func write(_ number: Double) { write(number.bitPattern) }

    mutating func write(_ truth: Bool) { bytes.append(truth ? 1 : 0) }

    mutating func write(count: Int) { write(UInt64(count)) }

    /// Writes the bytes of a text unchanged. Two texts that are equal in Unicode may be different names to a file
    /// system.
    mutating func write(_ text: String) {
        write(count: text.utf8.count)
        bytes.append(contentsOf: text.utf8)
    }

    /// Writes an array of any length, preceded by its count.
    mutating func write<Value: BitwiseCopyable>(_ values: [Value]) {
        write(count: values.count)
        values.withUnsafeBytes { bytes.append(contentsOf: $0) }
    }

    /// Writes up to 255 bytes, preceded by their count in one byte.
    mutating func write(shortBytes values: [UInt8]) {
        write(UInt8(values.count))
        bytes.append(contentsOf: values)
    }

    /// Writes a list of any length, preceded by its count, item by item.
    mutating func write<Item>(each items: some Collection<Item>, _ body: (inout BlockWriter, Item) -> Void) {
        write(count: items.count)
        for item in items { body(&self, item) }
    }

    mutating func write<Value>(optional value: Value?, _ body: (inout BlockWriter, Value) -> Void) {
        write(value != nil)
        if let value { body(&self, value) }
    }

    /// Writes the values of the chunk's `count` rows, without the unused room after them in the column.
    mutating func write<Value: BitwiseCopyable>(column: [Value], count: Int) {
        column.withUnsafeBytes { bytes.append(contentsOf: $0.prefix(count * MemoryLayout<Value>.stride)) }
    }

    /// Writes whether a column has values, followed by the column if it does. A column is empty if no row of the chunk
    /// has a value in it.
    mutating func write<Value: BitwiseCopyable>(sparse column: [Value], count: Int) {
        write(!column.isEmpty)
        if !column.isEmpty { write(column: column, count: count) }
    }
}
