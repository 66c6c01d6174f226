/// Finds slots by the hash of a property of their rows, in a table of four bytes a cell.
///
/// The rows keep the property; the index asks for its hash again when it grows or closes a gap. At most three quarters of
/// the cells are taken, and at least an eighth, so that it shrinks with the number of slots.
struct SlotIndex: Sendable {
    /// A slot plus one; 0 in free cells. The place of a slot is the first free cell from that of its hash on.
    private var cells: [UInt32] = []
    private(set) var count = 0

    private static let leastCapacity = 16

    var capacity: Int { cells.count }

    /// - Parameter isMatch: whether a slot of this hash, or of another one, is the one that is looked for.
    func first(hash: Int, where isMatch: (Int) -> Bool) -> Int? {
        guard count > 0 else { return nil }
        let mask = cells.count - 1
        var cell = hash & mask
        while cells[cell] != 0 {
            let slot = Int(cells[cell]) - 1
            if isMatch(slot) { return slot }
            cell = (cell + 1) & mask
        }
        return nil
    }

    /// - Parameters:
    ///   - rows: the rows of all slots in the index. A parameter, because a closure that held them would have the next change
    ///     of a row copy them all.
    ///   - hashOf: the hash of a row.
    mutating func insert<Row>(_ slot: Int, hash: Int, in rows: SlotPages<Row>, hashOf: (Row) -> Int) {
        if (count + 1) * 4 > cells.count * 3 { resize(to: max(Self.leastCapacity, cells.count * 2), rows, hashOf) }
        place(slot, hash: hash)
        count += 1
    }

    /// - Precondition: the slot is in the index.
    mutating func remove<Row>(_ slot: Int, hash: Int, in rows: SlotPages<Row>, hashOf: (Row) -> Int) {
        let mask = cells.count - 1
        var gap = hash & mask
        while cells[gap] != UInt32(slot + 1) {
            precondition(cells[gap] != 0, "a slot that is not in the index")
            gap = (gap + 1) & mask
        }
        // Moves those back that lie behind the gap and would not be found beyond it.
        var cell = gap
        while true {
            cell = (cell + 1) & mask
            guard cells[cell] != 0 else { break }
            let home = hashOf(rows[Int(cells[cell]) - 1]!) & mask
            guard (cell - home) & mask >= (cell - gap) & mask else { continue }
            cells[gap] = cells[cell]
            gap = cell
        }
        cells[gap] = 0
        count -= 1
        if cells.count > Self.leastCapacity, count * 8 < cells.count { resize(to: cells.count / 4, rows, hashOf) }
    }

    /// Has another slot stand for the same property.
    ///
    /// - Precondition: `old` is in the index.
    mutating func replace(_ old: Int, by new: Int, hash: Int) {
        let mask = cells.count - 1
        var cell = hash & mask
        while cells[cell] != UInt32(old + 1) {
            precondition(cells[cell] != 0, "a slot that is not in the index")
            cell = (cell + 1) & mask
        }
        cells[cell] = UInt32(new + 1)
    }

    private mutating func resize<Row>(to capacity: Int, _ rows: SlotPages<Row>, _ hashOf: (Row) -> Int) {
        let old = cells
        cells = Array(repeating: 0, count: max(Self.leastCapacity, capacity))
        for cell in old where cell != 0 { place(Int(cell) - 1, hash: hashOf(rows[Int(cell) - 1]!)) }
    }

    private mutating func place(_ slot: Int, hash: Int) {
        let mask = cells.count - 1
        var cell = hash & mask
        while cells[cell] != 0 { cell = (cell + 1) & mask }
        cells[cell] = UInt32(slot + 1)
    }
}
