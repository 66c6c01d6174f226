import Foundation

/// How one list without repetitions becomes another.
struct ListDifference {
    var removed = IndexSet()
    var inserted = IndexSet()
    var changed = IndexSet()
    var moves: [(from: Int, to: Int)] = []

    /// Linear in both lists, but for what is moved. Nil where so much is moved that the lists are better loaded anew.
    init?<Element: Hashable>(from before: [Element], to after: [Element], isChanged: (Element) -> Bool) {
        var places: [Element: Int] = [:]
        places.reserveCapacity(after.count)
        for (place, element) in after.enumerated() where places[element] == nil { places[element] = place }
        var survivors: [Int] = []
        for (index, element) in before.enumerated() {
            if let place = places.removeValue(forKey: element) {
                survivors.append(place)
            } else {
                removed.insert(index)
            }
        }
        for (place, element) in after.enumerated() {
            if places[element] != nil {
                inserted.insert(place)
            } else if isChanged(element) {
                changed.insert(place)
            }
        }
        guard let moves = MovePlan.moves(survivors: MovePlan.runs(survivors), inserted: inserted) else { return nil }
        self.moves = moves
    }

    /// The same for rows, whose places are looked up in a table. Linear in the lists and in the rows of the library.
    init?(rows before: [UInt32], to after: [UInt32], rowCount: Int, isChanged: (UInt32) -> Bool) {
        let nowhere = UInt32.max
        var places = [UInt32](repeating: nowhere, count: rowCount)
        for (place, row) in after.enumerated() { places[Int(row)] = UInt32(truncatingIfNeeded: place) }
        var isInserted = [Bool](repeating: true, count: after.count)
        var survivors: [Int] = []
        survivors.reserveCapacity(before.count)
        for (index, row) in before.enumerated() {
            let place = Int(row) < rowCount ? places[Int(row)] : nowhere
            if place == nowhere {
                removed.insert(index)
            } else {
                survivors.append(Int(place))
                isInserted[Int(place)] = false
            }
        }
        for (place, row) in after.enumerated() {
            if isInserted[place] { inserted.insert(place) } else if isChanged(row) { changed.insert(place) }
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
