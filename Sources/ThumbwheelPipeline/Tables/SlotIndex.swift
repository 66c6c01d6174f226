/// A hash table that finds the slot of a row by a property of the row, such as a key.
///
/// A cell of the table takes eight bytes. It contains the number of a slot and the lower half of the property's hash,
/// but not the property. A search reads a row only if the halves of the hashes agree. When the table grows or an entry
/// is removed, entries move without reading a row, because their cells contain enough of the hash.
///
/// At most three quarters of the cells are in use. If fewer than an eighth are in use, a table of more than 16 cells
/// shrinks.
package struct SlotIndex: Sendable {
    private struct Cell: Sendable {
        /// The number of a slot plus one; 0 in a free cell.
        var slot: UInt32 = 0
        var hash: UInt32 = 0

        var isFree: Bool { slot == 0 }
    }

    // A slot number is stored in the cell that the hash of its row's property selects or, if that cell is in use, in
    // the next free cell after it.
    private var cells: [Cell] = []
    package private(set) var count = 0

    private static let minimumCapacity = 16

    package init() {}

    var capacity: Int { cells.count }

    /// Returns the slot of the wanted row; nil if there is none.
    ///
    /// - Parameters:
    ///   - hash: the hash of the property by which the row is found.
    ///   - isMatch: returns whether the row in a slot is the wanted one. It is called only for slots whose stored half
    ///     of the hash equals the lower 32 bits of `hash`.
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

    /// Adds a slot to the index.
    ///
    /// - Precondition: the slot is not in the index.
    package mutating func insert(_ slot: Int, hash: Int) {
        if (count + 1) * 4 > cells.count * 3 { resize(to: cells.count * 2) }
        put(Cell(slot: UInt32(slot + 1), hash: UInt32(truncatingIfNeeded: hash)))
        count += 1
    }

    /// Removes a slot from the index.
    ///
    /// - Precondition: the slot is in the index.
    package mutating func remove(_ slot: Int, hash: Int) {
        let mask = cells.count - 1
        var gap = place(of: slot, hash: hash)
        // Closes the gap. A search ends at the first free cell, so it would not find the entries behind a gap. An entry
        // is moved into the gap if the search for this entry begins at the gap or before the gap. The entry's old cell
        // is then the new gap.
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
        if cells.count > Self.minimumCapacity, count * 8 < cells.count { resize(to: cells.count / 4) }
    }

    /// Replaces the slot number `old` by `new` in the index.
    ///
    /// - Parameter hash: the hash of the row's property.
    /// - Precondition: `old` is in the index.
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
        cells = Array(repeating: Cell(), count: max(Self.minimumCapacity, capacity))
        for cell in old where !cell.isFree { put(cell) }
    }

    private mutating func put(_ cell: Cell) {
        let mask = cells.count - 1
        var place = Int(cell.hash) & mask
        while !cells[place].isFree { place = (place + 1) & mask }
        cells[place] = cell
    }
}
