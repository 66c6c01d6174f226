/// The compressed bytes of a stream that have not been decoded yet.
final class InflateInput {
    private static let capacity = 64 << 10
    /// The buffer is refilled whenever fewer bytes than this are left. The decoders that work on a block at the same
    /// time (lanes) use up to 24 KiB in one call.
    private static let least = 26 << 10
    /// The number of bytes beyond the end of the input that a decoder may read. The values of these bytes do not
    /// matter.
    private static let slack = 64

    private let buffer: UnsafeMutableRawPointer
    private var count = 0
    /// The index of the next bit to decode, counted from the start of the buffer.
    private(set) var position = 0

    init() {
        buffer = .allocate(byteCount: Self.capacity + Self.slack, alignment: 64)
    }

    deinit {
        buffer.deallocate()
    }

    var bits: InflateBits { InflateBits(UnsafeRawPointer(buffer), from: position, to: 8 * count) }

    /// The bytes that are left, beginning with the byte that contains the next bit.
    var bytes: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: buffer + position / 8, count: count - position / 8)
    }

    /// Whether fewer than `least` bytes are left, so that `refill` takes more.
    var isLow: Bool { count - position / 8 < Self.least }

    /// Marks all bits before the given index as decoded.
    func pass(to index: Int) {
        precondition(index >= position && index <= 8 * count)
        position = index
    }

    /// Moves bytes from the front of `input` to the buffer, as many as fit. Does nothing unless `isLow` is true.
    func refill(from input: inout UnsafeRawBufferPointer) {
        guard !input.isEmpty, isLow else { return }
        let left = count - position / 8
        buffer.copyMemory(from: buffer + position / 8, byteCount: left)
        let taken = min(input.count, Self.capacity - left)
        (buffer + left).copyMemory(from: input.baseAddress!, byteCount: taken)
        (count, position) = (left + taken, position % 8)
        input = UnsafeRawBufferPointer(rebasing: input[taken...])
    }

    /// Copies bytes of a stored block, and marks them as decoded. The next bit must be the first bit of a byte.
    ///
    /// - Returns: the number of bytes copied.
    func copy(to room: UnsafeMutableRawBufferPointer) -> Int {
        precondition(position % 8 == 0)
        let taken = min(room.count, count - position / 8)
        guard taken > 0 else { return 0 }
        room.baseAddress!.copyMemory(from: buffer + position / 8, byteCount: taken)
        position += 8 * taken
        return taken
    }
}
