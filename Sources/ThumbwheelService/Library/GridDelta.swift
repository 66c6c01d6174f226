/// The difference between two grids, from which a page that has the earlier grid makes the later one. For each column it has the
/// bytes between the first and the last byte that differ. So one added photograph takes few bytes, and so do some new placeholders.
///
/// `TWD1`, the number of assets and that of sections, 4 bytes each; then for each column of `GridDocument`, from the sections to the hashes, the
/// numbers of bytes that are the same at its start and at its end and the number of bytes between, 4 bytes each, and these bytes. All numbers are
/// little-endian.
enum GridDelta {
    /// Returns the bytes; nil where the whole grid is hardly longer.
    static func bytes(from old: [UInt8], to new: [UInt8]) -> [UInt8]? {
        guard let oldColumns = columns(of: old), let newColumns = columns(of: new) else { return nil }
        var bytes = Array("TWD1".utf8) + new[4..<12]
        for (one, other) in zip(oldColumns, newColumns) {
            let shorter = min(one.count, other.count)
            var (start, end) = (0, 0)
            while start < shorter, old[one.lowerBound + start] == new[other.lowerBound + start] { start += 1 }
            while end < shorter - start, old[one.upperBound - 1 - end] == new[other.upperBound - 1 - end] { end += 1 }
            let between = new[other.lowerBound + start..<other.upperBound - end]
            for number in [start, end, between.count] {
                withUnsafeBytes(of: UInt32(number).littleEndian) { bytes += $0 }
            }
            bytes += between
            if bytes.count > new.count / 2 { return nil }
        }
        return bytes
    }

    /// The places of the columns in a grid; nil for bytes that are none.
    private static func columns(of grid: [UInt8]) -> [Range<Int>]? {
        guard grid.count >= 12, grid.starts(with: "TWG1".utf8) else { return nil }
        func number(_ start: Int) -> Int { (0..<4).reduce(0) { $0 | Int(grid[start + $1]) << (8 * $1) } }
        let (count, sections) = (number(4), number(8))
        var columns: [Range<Int>] = []
        var start = 12
        for length in [8 * sections, 16 * count, 6 * count, 2 * count, count, count] {
            columns.append(start..<start + length)
            start += length
        }
        guard start <= grid.count else { return nil }
        return columns + [start..<grid.count]
    }
}
