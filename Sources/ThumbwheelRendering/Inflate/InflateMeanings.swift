/// The entries of a deflate block's symbols, still without the bits of their codes.
///
/// The lists are constant, in memory that is never written after it was made and never freed. So threads may share them.
enum InflateMeanings {
    /// In the meaning of a length code: the last length is repeated, so often as the lower bits say.
    static let repeatsLast = 1 << 12
    /// In the meaning of a length code: lengths of 0 follow, so many as the lower bits say.
    static let repeatsZero = 1 << 13

    /// Code lengths (RFC 1951, 3.2.7).
    nonisolated(unsafe) static let lengths: UnsafePointer<InflateEntry> = made(
        (0...15).map { .base($0, extraBitCount: 0) } + [
            .base(repeatsLast + 3, extraBitCount: 2), .base(repeatsZero + 3, extraBitCount: 3),
            .base(repeatsZero + 11, extraBitCount: 7),
        ])

    /// Literal bytes, the block's end, and the lengths of matches (RFC 1951, 3.2.5).
    nonisolated(unsafe) static let symbols: UnsafePointer<InflateEntry> = made(
        (0..<256).map { .literal($0) } + [.blockEnd]
            + bases(from: 3, extraBitCounts: (0..<28).map { max(0, $0 / 4 - 1) })
            + [.base(258, extraBitCount: 0), .invalid, .invalid])

    /// The distances of matches.
    nonisolated(unsafe) static let distances: UnsafePointer<InflateEntry> = made(
        bases(from: 1, extraBitCounts: (0..<30).map { max(0, $0 / 2 - 1) }) + [.invalid, .invalid])

    /// Symbols for ranges of numbers that follow one another.
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
