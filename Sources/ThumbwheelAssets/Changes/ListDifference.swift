import Foundation

/// The changes that turn one list into another.
struct ListDifference {
    var removed = IndexSet()
    var inserted = IndexSet()
    var changed = IndexSet()
    var moves: [(from: Int, to: Int)] = []

    /// Finds the changes that turn one list into another. Nil if so many elements would move that displaying the whole
    /// list again is cheaper than moving them. If an element is in a list several times, every occurrence but the first
    /// counts as removed or inserted. Everything except the moves is found in time linear in the lengths of both lists;
    /// see `MovePlan` for the moves.
    init?<Element: Hashable>(from before: [Element], to after: [Element], isChanged: (Element) -> Bool) {
        var places: [Element: Int] = [:]
        places.reserveCapacity(after.count)
        for (place, element) in after.enumerated() where places[element] == nil { places[element] = place }
        self.init(before, after, isChanged: isChanged) { places.removeValue(forKey: $0) }
    }

    /// Finds the changes that turn one list of rows into another. Nil if so many rows would move that displaying the
    /// whole list again is cheaper than moving them. The position of each row in the new list is looked up in a table
    /// with `rowCount` entries, one for each row of the library. Everything except the moves is found in time linear in
    /// the lengths of both lists and in `rowCount`; see `MovePlan` for the moves.
    init?(rows before: [UInt32], to after: [UInt32], rowCount: Int, isChanged: (UInt32) -> Bool) {
        let noPosition = UInt32.max
        var places = [UInt32](repeating: noPosition, count: rowCount)
        for (place, row) in after.enumerated() { places[Int(row)] = UInt32(truncatingIfNeeded: place) }
        self.init(before, after, isChanged: isChanged) { row in
            let place = Int(row) < rowCount ? places[Int(row)] : noPosition
            return place == noPosition ? nil : Int(place)
        }
    }

    /// Finds the changes that turn one list into another; nil if too many elements would move.
    ///
    /// - Parameter place: returns the position of an element in the new list, or nil if the element is not in that
    ///   list. It is called once for each element of the old list.
    @inline(__always)
    private init?<Element>(
        _ before: [Element], _ after: [Element], isChanged: (Element) -> Bool, place: (Element) -> Int?
    ) {
        var isInserted = [Bool](repeating: true, count: after.count)
        var survivors: [Int] = []
        survivors.reserveCapacity(before.count)
        for (index, element) in before.enumerated() {
            if let place = place(element) {
                survivors.append(place)
                isInserted[place] = false
            } else {
                removed.insert(index)
            }
        }
        for (place, element) in after.enumerated() {
            if isInserted[place] { inserted.insert(place) } else if isChanged(element) { changed.insert(place) }
        }
        guard let moves = MovePlan.moves(survivors: MovePlan.runs(survivors), inserted: inserted) else { return nil }
        self.moves = moves
    }

    init(removed: IndexSet, inserted: IndexSet, changed: IndexSet, moves: [(from: Int, to: Int)]) {
        self.removed = removed
        self.inserted = inserted
        self.changed = changed
        self.moves = moves
    }
}
