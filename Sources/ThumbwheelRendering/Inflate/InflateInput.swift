/// The compressed bytes of a stream that have not been decoded yet.
final class InflateInput {
    private static let capacity = 64 << 10
    /// While so many bytes are left, no more are taken.
    private static let least = 26 << 10
    /// The number of bytes that may be read behind those of the stream. They have any values.
    private static let slack = 64

    private let buffer: UnsafeMutableRawPointer
    private var count = 0
    /// The index of the next bit in the buffer.
    private(set) var position = 0

    init() {
        buffer = .allocate(byteCount: Self.capacity + Self.slack, alignment: 64)
    }

    deinit {
        buffer.deallocate()
    }

    var bits: InflateBits { InflateBits(UnsafeRawPointer(buffer), from: position, to: 8 * count) }

    /// The bytes from the one with the next bit on.
    var bytes: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: buffer + position / 8, count: count - position / 8)
    }

    /// Whether few bytes are left.
    var isLow: Bool { count - position / 8 < Self.least }

    /// Passes the bits up to an index.
    func pass(to index: Int) {
        precondition(index >= position && index <= 8 * count)
        position = index
    }

    /// Takes bytes if few are left: as many as there is room for. They are removed from the front of `input`.
    func refill(from input: inout UnsafeRawBufferPointer) {
        guard !input.isEmpty, isLow else { return }
        let left = count - position / 8
        buffer.copyMemory(from: buffer + position / 8, byteCount: left)
        let taken = min(input.count, Self.capacity - left)
        (buffer + left).copyMemory(from: input.baseAddress!, byteCount: taken)
        (count, position) = (left + taken, position % 8)
        input = UnsafeRawBufferPointer(rebasing: input[taken...])
    }

    /// Copies bytes, from the next whole byte on.
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
