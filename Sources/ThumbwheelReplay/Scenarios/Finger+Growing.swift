import ThumbwheelCore

extension Finger {
    /// Flicks the view, while the library changes around the visible items: before, during and after the movement.
    mutating func scroll(_ arrivals: inout Arrivals) {
        turn(probability: 0.2)
        for _ in 0..<3 where !isDone {
            change(&arrivals)
            fling(speeds: 1...4, until: .milliseconds(generator.value(in: 100...500)))
        }
        change(&arrivals)
        rest(milliseconds: generator.value(in: 100...800))
    }

    private mutating func change(_ arrivals: inout Arrivals) {
        for _ in 0..<1 + generator.index(below: 4) {
            let item = placeNearby()
            switch generator.index(below: 8) {
            case 0, 1:
                // An import: several assets arrive at once, at one place.
                for _ in 0..<1 + generator.index(below: 4) {
                    guard let asset = arrivals.next() else { break }
                    edit(.insert(asset: asset, at: item ?? 0))
                }
            case 2, 3:
                guard let item, contents.list.count > 1 else { continue }
                arrivals.takeBack(contents.list[item].number)
                edit(.remove(at: item))
            case 4:
                guard let item, let target = placeNearby() else { continue }
                edit(.move(from: item, to: target))
            default:
                if let item { edit(.change(at: item)) }
            }
        }
    }

    /// Returns an item on the screen or about a screen from it, and now and then the first item; nil if there are no items.
    private mutating func placeNearby() -> Int? {
        let count = contents.list.count
        guard count > 0 else { return nil }
        guard generator.index(below: 5) > 0 else { return 0 }
        let visible = visibleItems
        let first = max(0, visible.lowerBound - visible.count)
        return min(count - 1, first + generator.index(below: 3 * max(1, visible.count)))
    }
}
