import Foundation

/// The changes that turn one list into another.
struct ListDifference {
    var removed = IndexSet()
    var inserted = IndexSet()
    var changed = IndexSet()
    var moves: [(from: Int, to: Int)] = []

    /// Finds the changes that turn one list into another, in time linear in both lists, apart from the moves. Nil if so
    /// many elements would move that loading the list anew is cheaper. If an element is in a list several times, only
    /// its first occurrence is matched; the others count as removed or inserted.
    init?<Element: Hashable>(from before: [Element], to after: [Element], isChanged: (Element) -> Bool) {
        var places: [Element: Int] = [:]
        places.reserveCapacity(after.count)
        for (place, element) in after.enumerated() where places[element] == nil { places[element] = place }
        self.init(before, after, isChanged: isChanged) { places.removeValue(forKey: $0) }
    }

    /// Finds the changes that turn one list of rows into another, for a library with `rowCount` rows. It looks up each
    /// row's place in the new list in a table with an entry for each row. The time is linear in both lists and in
    /// `rowCount`.
    init?(rows before: [UInt32], to after: [UInt32], rowCount: Int, isChanged: (UInt32) -> Bool) {
        let nowhere = UInt32.max
        var places = [UInt32](repeating: nowhere, count: rowCount)
        for (place, row) in after.enumerated() { places[Int(row)] = UInt32(truncatingIfNeeded: place) }
        self.init(before, after, isChanged: isChanged) { row in
            let place = Int(row) < rowCount ? places[Int(row)] : nowhere
            return place == nowhere ? nil : Int(place)
        }
    }

    /// - Parameter place: finds an element's place in the new list, or nil if it is not there; called once for each
    ///   element of the old list.
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
