/// A hash table that finds the slot of a row by a property of the row, such as a key. It consists of cells of eight
/// bytes.
///
/// A cell has the slot number and the lower half of the property's hash; only the row has the property itself. So a
/// search looks only at rows for which that half is equal, and the table grows and closes gaps without looking at rows.
/// At most three quarters of the cells are in use. If fewer than an eighth are in use, a table of more than 16 cells
/// shrinks.
package struct SlotIndex: Sendable {
    private struct Cell: Sendable {
        /// The number of a slot plus one; 0 in a free cell.
        var slot: UInt32 = 0
        var hash: UInt32 = 0

        var isFree: Bool { slot == 0 }
    }

    // A slot number is stored in the cell that its hash selects or, if that is in use, in the next free cell after it.
    private var cells: [Cell] = []
    package private(set) var count = 0

    private static let leastCapacity = 16

    package init() {}

    var capacity: Int { cells.count }

    /// - Parameter isMatch: returns whether the row in a slot has the property that is looked for. It is called only
    ///   for slots whose cell has the same lower 32 bits of the hash.
    package func first(hash: Int, where isMatch: (Int) -> Bool) -> Int? {
        guard count > 0 else { return nil }
        let (mask, hash) = (cells.count - 1, UInt32(truncatingIfNeeded: hash))
        var place = Int(hash) & mask
        while !cells[place].isFree {
            if cells[place].hash == hash, isMatch(Int(cells[place].slot) - 1) { return Int(cells[place].slot) - 1 }
            place = (place + 1) & mask
        }
        return nil
    }

    /// - Precondition: the slot is not in the index.
    package mutating func insert(_ slot: Int, hash: Int) {
        if (count + 1) * 4 > cells.count * 3 { resize(to: cells.count * 2) }
        put(Cell(slot: UInt32(slot + 1), hash: UInt32(truncatingIfNeeded: hash)))
        count += 1
    }

    /// - Precondition: the slot is in the index.
    package mutating func remove(_ slot: Int, hash: Int) {
        let mask = cells.count - 1
        var gap = place(of: slot, hash: hash)
        // A search ends at the first free cell. So an entry in a later cell is moved into the gap, if a search for it
        // begins at the gap or before it. Its old cell is then the new gap.
        var place = gap
        while true {
            place = (place + 1) & mask
            guard !cells[place].isFree else { break }
            let home = Int(cells[place].hash) & mask
            guard (place - home) & mask >= (place - gap) & mask else { continue }
            cells[gap] = cells[place]
            gap = place
        }
        cells[gap] = Cell()
        count -= 1
        if cells.count > Self.leastCapacity, count * 8 < cells.count { resize(to: cells.count / 4) }
    }

    /// Replaces the slot number in the entry of a row property that has the hash `hash`.
    ///
    /// - Precondition: the entry has the slot number `old`.
    package mutating func replace(_ old: Int, by new: Int, hash: Int) {
        cells[place(of: old, hash: hash)].slot = UInt32(new + 1)
    }

    private func place(of slot: Int, hash: Int) -> Int {
        let mask = cells.count - 1
        var place = Int(UInt32(truncatingIfNeeded: hash)) & mask
        while cells[place].slot != UInt32(slot + 1) {
            precondition(!cells[place].isFree, "a slot that is not in the index")
            place = (place + 1) & mask
        }
        return place
    }

    private mutating func resize(to capacity: Int) {
        let old = cells
        cells = Array(repeating: Cell(), count: max(Self.leastCapacity, capacity))
        for cell in old where !cell.isFree { put(cell) }
    }

    private mutating func put(_ cell: Cell) {
        let mask = cells.count - 1
        var place = Int(cell.hash) & mask
        while !cells[place].isFree { place = (place + 1) & mask }
        cells[place] = cell
    }
}
