/// Collects the bytes of one block of a library's file. Numbers are little-endian, and columns are written with the
/// bytes that they have in memory.
struct BlockWriter {
    private(set) var bytes: [UInt8] = []

    init() {}

    /// Removes the bytes, to start another block in the same memory.
    mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

    mutating func write<Number: FixedWidthInteger>(_ number: Number) {
        withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
    }

    /// Writes bytes without a count before them. The reader must know the count.
    mutating func write(raw values: [UInt8]) { bytes.append(contentsOf: values) }

    mutating func write(_ number: Double) { write(number.bitPattern) }

    mutating func write(_ truth: Bool) { bytes.append(truth ? 1 : 0) }

    mutating func write(count: Int) { write(UInt64(count)) }

    /// Writes the bytes of a text unchanged, because two texts that are equal in Unicode may be different names in a
    /// file system.
    mutating func write(_ text: String) {
        write(count: text.utf8.count)
        bytes.append(contentsOf: text.utf8)
    }

    /// Writes the number of elements, followed by the elements.
    mutating func write<Value: BitwiseCopyable>(_ values: [Value]) {
        write(count: values.count)
        values.withUnsafeBytes { bytes.append(contentsOf: $0) }
    }

    /// Writes the number of bytes as one byte, followed by the bytes. There must be at most 255 bytes.
    mutating func write(shortBytes values: [UInt8]) {
        write(UInt8(values.count))
        bytes.append(contentsOf: values)
    }

    /// Writes the number of items, followed by the items one by one.
    mutating func write<Item>(each items: some Collection<Item>, _ body: (inout BlockWriter, Item) -> Void) {
        write(count: items.count)
        for item in items { body(&self, item) }
    }

    mutating func write<Value>(optional value: Value?, _ body: (inout BlockWriter, Value) -> Void) {
        write(value != nil)
        if let value { body(&self, value) }
    }

    /// Writes the values of the first `count` rows of a chunk, without the unused rest of the column.
    mutating func write<Value: BitwiseCopyable>(column: [Value], count: Int) {
        column.withUnsafeBytes { bytes.append(contentsOf: $0.prefix(count * MemoryLayout<Value>.stride)) }
    }

    /// Writes a column that may be empty. It is empty if no row of the chunk has a value in it. The first byte tells
    /// whether the column has values. The values follow if there are any.
    mutating func write<Value: BitwiseCopyable>(sparse column: [Value], count: Int) {
        write(!column.isEmpty)
        if !column.isEmpty { write(column: column, count: count) }
    }
}
