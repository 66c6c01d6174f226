/// Rows of numbers in memory that is aligned to 64 bytes and set to zero at first. The memory is freed when the value
/// is destroyed.
///
/// Inner loops get unchecked pointers to the rows. A loop may read and write only the `pitch` elements of its row. In
/// the last row, it may go beyond them by `slack` elements.
struct AlignedPlane<Element: BitwiseCopyable>: ~Copyable {
    /// The number of elements from one row to the next.
    let pitch: Int
    let rowCount: Int
    private let memory: UnsafeMutableRawPointer

    /// - Parameters:
    ///   - pitch: The number of elements of a row, padding included.
    ///   - slack: The number of elements after the last row that a loop may read and write.
    init(pitch: Int, rowCount: Int = 1, slack: Int = 0) {
        precondition(pitch >= 0 && rowCount >= 0 && slack >= 0)
        self.pitch = pitch
        self.rowCount = rowCount
        let byteCount = (pitch * rowCount + slack) * MemoryLayout<Element>.stride
        memory = .allocate(byteCount: max(byteCount, 1), alignment: 64)
        // The padding is set to zero too: vector loops compute with it, even though these results are not used.
        memory.initializeMemory(as: UInt8.self, repeating: 0, count: byteCount)
    }

    deinit {
        memory.deallocate()
    }

    /// The address of the first row.
    @inline(__always) var start: UnsafeMutablePointer<Element> { memory.assumingMemoryBound(to: Element.self) }

    /// The first row's address, for loops that load vectors from it.
    @inline(__always) var bytes: UnsafeMutableRawPointer { memory }

    /// Returns the address of a row.
    subscript(row: Int) -> UnsafeMutablePointer<Element> {
        precondition(row >= 0 && row < rowCount)
        return start + row * pitch
    }
}
