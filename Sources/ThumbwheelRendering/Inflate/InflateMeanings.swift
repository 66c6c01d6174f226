/// Prepared table entries for the symbols of deflate, such as literal bytes, lengths and distances. Each entry is
/// complete except for the length of the symbol's code, which differs from block to block.
///
/// The arrays of entries are made once. Their memory is never written or freed afterwards, so threads may share them.
enum InflateMeanings {
    /// A flag in the entries of the table that decodes lengths of codes. The flag means that the previous length is
    /// repeated. The number of repetitions is the number in the entry's lower bits plus the value of the extra bits
    /// that follow.
    static let repeatsLast = 1 << 12
    /// A flag in the entries of the table that decodes lengths of codes. The flag means that several lengths of 0
    /// follow. Their number is the number in the entry's lower bits plus the value of the extra bits that follow.
    static let repeatsZero = 1 << 13

    /// The entries for the lengths of codes (RFC 1951, 3.2.7).
    nonisolated(unsafe) static let lengths: UnsafePointer<InflateEntry> = made(
        (0...15).map { .base($0, extraBitCount: 0) } + [
            .base(repeatsLast + 3, extraBitCount: 2), .base(repeatsZero + 3, extraBitCount: 3),
            .base(repeatsZero + 11, extraBitCount: 7),
        ])

    /// The entries for literal bytes, the end of the block, and the lengths of matches (RFC 1951, 3.2.5).
    nonisolated(unsafe) static let symbols: UnsafePointer<InflateEntry> = made(
        (0..<256).map { .literal($0) } + [.blockEnd]
            + bases(from: 3, extraBitCounts: (0..<28).map { max(0, $0 / 4 - 1) })
            + [.base(258, extraBitCount: 0), .invalid, .invalid])

    /// The entries for the distances of matches.
    nonisolated(unsafe) static let distances: UnsafePointer<InflateEntry> = made(
        bases(from: 1, extraBitCounts: (0..<30).map { max(0, $0 / 2 - 1) }) + [.invalid, .invalid])

    /// Makes the entries of successive symbols for lengths or distances. A symbol stands for a range of numbers, which
    /// begins where the range of the symbol before it ends. The extra bits after the symbol's code select a number of
    /// the range.
    private static func bases(from first: Int, extraBitCounts: [Int]) -> [InflateEntry] {
        var base = first
        return extraBitCounts.map { count in
            defer { base += 1 << count }
            return .base(base, extraBitCount: count)
        }
    }

    private static func made(_ entries: [InflateEntry]) -> UnsafePointer<InflateEntry> {
        let memory = UnsafeMutablePointer<InflateEntry>.allocate(capacity: entries.count)
        memory.initialize(from: entries, count: entries.count)
        return UnsafePointer(memory)
    }
}
