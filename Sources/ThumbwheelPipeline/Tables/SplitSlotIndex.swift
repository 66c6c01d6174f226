/// A hash table that finds the slot of a row by a property of the row.
///
/// A cell of the table takes four bytes, while a cell of a `SlotIndex` takes eight. It contains the number of a slot,
/// but no hash. A search therefore reads a row for each cell that it meets. Whenever entries move to other cells, the
/// caller has to supply the hashes of their rows again.
///
/// The table consists of parts of a few thousand cells each, so that only a few cells move at a time. It grows by
/// splitting one part at a time (linear hashing).
struct SplitSlotIndex: Sendable {
    /// Cells that each store a slot number plus one; 0 in a free cell. A slot is put into the first free cell at or
    /// after the cell that the hash of its row's property selects. At most three quarters of the cells are taken.
    fileprivate struct Part: Sendable {
        static let minimumCapacity = 16

        var cells: [UInt32] = []
        var count = 0
    }

    /// The parts of the table. Their number is at least `half` and less than twice `half`, because they are split one
    /// at a time.
    private var parts = [Part()]
    /// The largest power of two that is not above the number of parts. When each of `half` parts has been split, there
    /// are twice as many parts, and `half` is doubled.
    private var half = 1
    private(set) var count = 0

    /// A part is split if the mean number of slots in a part rises above this number. Two parts are joined if the mean
    /// falls below an eighth of it.
    private static let splitThreshold = 2048

    /// The number of cells.
    var capacity: Int { parts.reduce(0) { $0 + $1.cells.count } }

    /// Returns the slot of the wanted row; nil if there is none.
    ///
    /// - Parameters:
    ///   - hash: the hash of the property by which the row is found.
    ///   - isMatch: returns whether the row in a slot is the wanted one.
    func first(hash: Int, where isMatch: (Int) -> Bool) -> Int? {
        parts[part(of: hash)].first(home: Self.home(of: hash), where: isMatch)
    }

    /// Adds a slot to the index.
    ///
    /// - Parameters:
    ///   - hash: the hash of the property by which the slot's row is found.
    ///   - hashOf: returns the hash of this property for any slot in the index, and for `slot`.
    /// - Precondition: the slot is not in the index.
    mutating func insert(_ slot: Int, hash: Int, hashOf: (Int) -> Int) {
        count += 1
        parts[part(of: hash)].insert(slot, home: Self.home(of: hash)) { Self.home(of: hashOf($0)) }
        if count > parts.count * Self.splitThreshold { split(hashOf) }
    }

    /// Removes a slot from the index.
    ///
    /// - Parameters:
    ///   - hash: the hash of the property by which the slot's row is found.
    ///   - hashOf: returns the hash of this property for any other slot of the index. It is needed because other slots
    ///     may move to other cells.
    /// - Precondition: the slot is in the index.
    mutating func remove(_ slot: Int, hash: Int, hashOf: (Int) -> Int) {
        count -= 1
        parts[part(of: hash)].remove(slot, home: Self.home(of: hash)) { Self.home(of: hashOf($0)) }
        if parts.count > 1, count < parts.count * Self.splitThreshold / 8 { join(hashOf) }
    }

    /// Replaces the slot number `old` by `new` in the index.
    ///
    /// - Parameter hash: the hash of the property by which the row is found.
    /// - Precondition: `old` is in the index.
    mutating func replace(_ old: Int, by new: Int, hash: Int) {
        parts[part(of: hash)].replace(old, by: new, home: Self.home(of: hash))
    }

    /// Returns the number of the part that contains the slots with a given hash (linear hashing).
    ///
    /// The lowest bits of the hash give a number n below `half`. Parts are split in the order of their numbers: part n
    /// is split into the parts n and n + `half`. If part n has been split already, the next bit of the hash decides
    /// between these two parts.
    private func part(of hash: Int) -> Int {
        let part = hash & (2 * half - 1)
        return part < parts.count ? part : part & (half - 1)
    }

    /// A number whose lowest bits select the cell at which a search for a hash begins. The lowest bits of the hash
    /// itself are unsuitable. They have selected the part, so all slots in the part have the same ones. Therefore
    /// higher bits of the hash are mixed into the number.
    private static func home(of hash: Int) -> Int {
        Int(truncatingIfNeeded: (UInt64(bitPattern: Int64(hash)) &* 0x9E37_79B9_7F4A_7C15) >> 32)
    }

    /// Moves about half of the slots of one part to a new part.
    private mutating func split(_ hashOf: (Int) -> Int) {
        let old = parts[parts.count - half]
        let (bit, first) = (half, parts.count - half)
        parts.append(Part())
        if parts.count == 2 * half { half *= 2 }
        parts[first] = Part()
        for cell in old.cells where cell != 0 {
            let slot = Int(cell) - 1
            let hash = hashOf(slot)
            parts[hash & bit == 0 ? first : parts.count - 1]
                .insert(slot, home: Self.home(of: hash)) { Self.home(of: hashOf($0)) }
        }
    }

    /// Moves the slots of the last part to the part from which they were split off.
    private mutating func join(_ hashOf: (Int) -> Int) {
        let last = parts.removeLast()
        if parts.count < half { half /= 2 }
        for cell in last.cells where cell != 0 {
            let slot = Int(cell) - 1
            parts[parts.count - half].insert(slot, home: Self.home(of: hashOf(slot))) { Self.home(of: hashOf($0)) }
        }
    }
}

extension SplitSlotIndex.Part {
    fileprivate func first(home: Int, where isMatch: (Int) -> Bool) -> Int? {
        guard count > 0 else { return nil }
        let mask = cells.count - 1
        var place = home & mask
        while cells[place] != 0 {
            let slot = Int(cells[place]) - 1
            if isMatch(slot) { return slot }
            place = (place + 1) & mask
        }
        return nil
    }

    fileprivate mutating func insert(_ slot: Int, home: Int, homeOf: (Int) -> Int) {
        if (count + 1) * 4 > cells.count * 3 { resize(to: max(Self.minimumCapacity, cells.count * 2), homeOf) }
        put(UInt32(slot + 1), home: home)
        count += 1
    }

    fileprivate mutating func remove(_ slot: Int, home: Int, homeOf: (Int) -> Int) {
        let mask = cells.count - 1
        var gap = place(of: slot, home: home)
        // Closes the gap. A search ends at the first free cell, so it would not find the entries behind a gap. An entry
        // is moved into the gap if the search for this entry begins at the gap or before the gap. The entry's old cell
        // is then the new gap.
        var place = gap
        while true {
            place = (place + 1) & mask
            guard cells[place] != 0 else { break }
            let home = homeOf(Int(cells[place]) - 1) & mask
            guard (place - home) & mask >= (place - gap) & mask else { continue }
            cells[gap] = cells[place]
            gap = place
        }
        cells[gap] = 0
        count -= 1
        if cells.count > Self.minimumCapacity, count * 8 < cells.count { resize(to: cells.count / 4, homeOf) }
    }

    fileprivate mutating func replace(_ old: Int, by new: Int, home: Int) {
        cells[place(of: old, home: home)] = UInt32(new + 1)
    }

    private func place(of slot: Int, home: Int) -> Int {
        let mask = cells.count - 1
        var place = home & mask
        while cells[place] != UInt32(slot + 1) {
            precondition(cells[place] != 0, "a slot that is not in the index")
            place = (place + 1) & mask
        }
        return place
    }

    private mutating func resize(to capacity: Int, _ homeOf: (Int) -> Int) {
        let old = cells
        cells = Array(repeating: 0, count: capacity)
        for cell in old where cell != 0 { put(cell, home: homeOf(Int(cell) - 1)) }
    }

    private mutating func put(_ cell: UInt32, home: Int) {
        let mask = cells.count - 1
        var place = home & mask
        while cells[place] != 0 { place = (place + 1) & mask }
        cells[place] = cell
    }
}
