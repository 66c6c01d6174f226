import Foundation

/// How one list becomes another.
struct ListDifference {
    var removed = IndexSet()
    var inserted = IndexSet()
    var changed = IndexSet()
    var moves: [(from: Int, to: Int)] = []

    /// Linear in both lists, but for what is moved. Nil where so much is moved that the lists are better loaded anew.
    /// An element that a list has several times is as many elements.
    init?<Element: Hashable>(from before: [Element], to after: [Element], isChanged: (Element) -> Bool) {
        var places: [Element: Int] = [:]
        places.reserveCapacity(after.count)
        for (place, element) in after.enumerated() where places[element] == nil { places[element] = place }
        self.init(before, after, isChanged: isChanged) { places.removeValue(forKey: $0) }
    }

    /// The same for rows, whose places are looked up in a table. Linear in the lists and in the rows of the library.
    init?(rows before: [UInt32], to after: [UInt32], rowCount: Int, isChanged: (UInt32) -> Bool) {
        let nowhere = UInt32.max
        var places = [UInt32](repeating: nowhere, count: rowCount)
        for (place, row) in after.enumerated() { places[Int(row)] = UInt32(truncatingIfNeeded: place) }
        self.init(before, after, isChanged: isChanged) { row in
            let place = Int(row) < rowCount ? places[Int(row)] : nowhere
            return place == nowhere ? nil : Int(place)
        }
    }

    /// - Parameter place: where an element is in the list after; asked once for each of the list before.
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
