/// Reads a block of a library's file that `BlockWriter` has written. Before memory is allocated, lengths and counts are
/// compared with the number of bytes that are left.
struct BlockReader {
    private let bytes: [UInt8]
    /// The format version of the file with the block.
    let version: UInt32
    private(set) var position = 0

    init(_ bytes: [UInt8], version: UInt32 = LibraryFileHeader.currentVersion) {
        self.bytes = bytes
        self.version = version
    }

    var remainingCount: Int { bytes.count - position }

    static func require(_ condition: Bool, _ reason: @autoclosure () -> String) throws(LibraryFileError) {
        if !condition { throw .malformed(reason: reason()) }
    }

    private mutating func take(_ count: Int, of stride: Int = 1) throws(LibraryFileError) -> Range<Int> {
        guard count >= 0, count <= remainingCount / stride else { throw .malformed(reason: "a block ends too soon") }
        defer { position += count * stride }
        return position..<position + count * stride
    }

    mutating func read<Number: FixedWidthInteger & BitwiseCopyable>(
        _ type: Number.Type = Number.self
    ) throws(LibraryFileError) -> Number {
        let range = try take(MemoryLayout<Number>.size)
        return Number(
            littleEndian: bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: range.lowerBound, as: Number.self) })
    }

    mutating func readDouble() throws(LibraryFileError) -> Double { Double(bitPattern: try read()) }

    mutating func readBool() throws(LibraryFileError) -> Bool { try read(UInt8.self) != 0 }

    mutating func readInt() throws(LibraryFileError) -> Int { Int(truncatingIfNeeded: try read(Int64.self)) }

    /// Reads the number of items in a list. Each item takes at least `byteCount` bytes. Throws if the rest of the block
    /// is too short for so many items.
    mutating func readCount(ofAtLeast byteCount: Int) throws(LibraryFileError) -> Int {
        let count = try read(UInt64.self)
        guard count <= UInt64(remainingCount / byteCount) else { throw .malformed(reason: "a block ends too soon") }
        return Int(count)
    }

    mutating func readText() throws(LibraryFileError) -> String {
        let range = try take(try readCount(ofAtLeast: 1))
        guard let text = String(validating: bytes[range], as: UTF8.self) else {
            throw .malformed(reason: "a text is not UTF-8")
        }
        return text
    }

    mutating func readArray<Value: BitwiseCopyable>(of type: Value.Type) throws(LibraryFileError) -> [Value] {
        let count = try readCount(ofAtLeast: MemoryLayout<Value>.stride)
        return copy(try take(count, of: MemoryLayout<Value>.stride), room: count)
    }

    /// Reads `count` bytes. The block does not contain this count, so the caller must know it.
    mutating func readRaw(_ count: Int) throws(LibraryFileError) -> ArraySlice<UInt8> { bytes[try take(count)] }

    mutating func readShortBytes() throws(LibraryFileError) -> [UInt8] {
        Array(bytes[try take(Int(try read(UInt8.self)))])
    }

    mutating func readEach<Item>(
        ofAtLeast byteCount: Int, _ body: (inout BlockReader) throws(LibraryFileError) -> Item
    ) throws(LibraryFileError) -> [Item] {
        let count = try readCount(ofAtLeast: byteCount)
        var items: [Item] = []
        items.reserveCapacity(count)
        for _ in 0..<count { items.append(try body(&self)) }
        return items
    }

    mutating func readOptional<Value>(
        _ body: (inout BlockReader) throws(LibraryFileError) -> Value
    ) throws(LibraryFileError) -> Value? {
        try readBool() ? try body(&self) : nil
    }

    /// Reads a column of `count` values, and appends `absent` until the column has the length of a full chunk.
    mutating func readColumn<Value: BitwiseCopyable>(
        _ count: Int, absent: Value
    ) throws(LibraryFileError) -> [Value] {
        var column: [Value] = copy(try take(count, of: MemoryLayout<Value>.stride), room: Chunk.rowCount)
        while column.count < Chunk.rowCount { column.append(absent) }
        return column
    }

    mutating func readSparseColumn<Value: BitwiseCopyable>(
        _ count: Int, absent: Value
    ) throws(LibraryFileError) -> [Value] {
        try readBool() ? try readColumn(count, absent: absent) : []
    }

    private func copy<Value: BitwiseCopyable>(_ range: Range<Int>, room: Int) -> [Value] {
        let count = range.count / MemoryLayout<Value>.stride
        return [Value](unsafeUninitializedCapacity: max(room, count)) { values, initializedCount in
            bytes.withUnsafeBytes { UnsafeMutableRawBufferPointer(values).copyMemory(from: .init(rebasing: $0[range])) }
            initializedCount = count
        }
    }

    /// Throws if any bytes are left. Call it after the last read.
    func requireEnd() throws(LibraryFileError) {
        try Self.require(remainingCount == 0, "\(remainingCount) bytes are left over at the end of a block")
    }
}
