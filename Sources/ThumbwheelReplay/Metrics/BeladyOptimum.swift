/// The fewest misses that any cache of a given size can have on a sequence of look-ups. The algorithm knows the future and
/// evicts the entry whose next use is farthest away (Belády, 1966).
package enum BeladyOptimum {
    /// - Parameters:
    ///   - lookups: the keys in order.
    ///   - capacity: how many entries fit; all are of one size.
    package static func misses<Key: Hashable>(of lookups: [Key], capacity: Int) -> Int {
        guard capacity > 0 else { return lookups.count }
        // For each look-up, the index of the next look-up of the same key.
        var nextUse = Array(repeating: Int.max, count: lookups.count)
        var latest: [Key: Int] = [:]
        for index in lookups.indices.reversed() {
            nextUse[index] = latest[lookups[index]] ?? .max
            latest[lookups[index]] = index
        }
        var cached: [Key: Int] = [:]
        var farthest = MaxHeap<Key>()
        var misses = 0
        for (index, key) in lookups.enumerated() {
            if cached[key] == nil {
                misses += 1
                if cached.count == capacity {
                    // Entries whose next use has changed since they were pushed are out of date and skipped.
                    while let (use, candidate) = farthest.pop() {
                        guard cached[candidate] == use else { continue }
                        cached[candidate] = nil
                        break
                    }
                }
            }
            cached[key] = nextUse[index]
            farthest.push(nextUse[index], key)
        }
        return misses
    }
}

/// A binary heap with the largest number at its top.
private struct MaxHeap<Key> {
    private var elements: [(number: Int, key: Key)] = []

    mutating func push(_ number: Int, _ key: Key) {
        elements.append((number, key))
        var index = elements.count - 1
        while index > 0, elements[(index - 1) / 2].number < elements[index].number {
            elements.swapAt(index, (index - 1) / 2)
            index = (index - 1) / 2
        }
    }

    mutating func pop() -> (Int, Key)? {
        guard let top = elements.first else { return nil }
        let last = elements.removeLast()
        guard !elements.isEmpty else { return top }
        elements[0] = last
        var index = 0
        while true {
            var largest = index
            for child in [2 * index + 1, 2 * index + 2] where child < elements.count {
                if elements[child].number > elements[largest].number { largest = child }
            }
            guard largest != index else { return top }
            elements.swapAt(index, largest)
            index = largest
        }
    }
}
