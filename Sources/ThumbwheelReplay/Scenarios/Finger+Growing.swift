import ThumbwheelCore

extension Finger {
    /// Flicks, and before, while and after the view moves the library changes around what is visible.
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
                // An import: some at once, at one place.
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

    /// An item on the screen or about a screen from it, now and then the first one; nil where there is none.
    private mutating func placeNearby() -> Int? {
        let count = contents.list.count
        guard count > 0 else { return nil }
        guard generator.index(below: 5) > 0 else { return 0 }
        let visible = visibleItems
        let first = max(0, visible.lowerBound - visible.count)
        return min(count - 1, first + generator.index(below: 3 * max(1, visible.count)))
    }
}
