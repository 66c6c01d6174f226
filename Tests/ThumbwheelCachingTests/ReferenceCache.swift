import ThumbwheelCaching

/// What `LRUCache` does, done the plain way: one array a segment from the hottest to the coldest, searched from end to
/// end.
struct ReferenceCache {
    typealias Segment = LRUCache<Int, Int>.Segment
    typealias Position = LRUCache<Int, Int>.Position

    struct Entry: Equatable {
        var key: Int
        var value: Int
        var byteCount: Int
        var wasUsed: Bool
        var owner = 0
        /// The round in which the entry was spared first since its last use; nil if it was not.
        var idleSince: Int?
    }

    private(set) var segments: [Segment: [Entry]] = [.loose: [], .held: []]

    var count: Int { segments.values.reduce(0) { $0 + $1.count } }

    func byteCount(of segment: Segment) -> Int { segments[segment]!.reduce(0) { $0 + $1.byteCount } }

    func keys(of segment: Segment) -> [Int] { segments[segment]!.map(\.key) }

    /// The entries of a segment, from the hottest to the coldest.
    func entries(of segment: Segment) -> [Entry] { segments[segment]! }

    mutating func replace(_ entries: [Entry], in segment: Segment) {
        segments[segment] = entries
    }

    func peek(_ key: Int) -> Int? { place(of: key).map { segments[$0.segment]![$0.index].value } }

    mutating func value(forKey key: Int) -> Int? {
        guard let (segment, index) = place(of: key) else { return nil }
        var entry = segments[segment]!.remove(at: index)
        entry.wasUsed = true
        entry.idleSince = nil
        segments[segment]!.insert(entry, at: 0)
        return entry.value
    }

    mutating func insert(
        _ value: Int, forKey key: Int, byteCount: Int, into segment: Segment, at position: Position, isUsed: Bool,
        owner: Int = 0
    ) -> Entry? {
        let replaced = remove(key)
        let entry = Entry(key: key, value: value, byteCount: byteCount, wasUsed: isUsed, owner: owner)
        link(entry, into: segment, at: position)
        return replaced
    }

    mutating func remove(_ key: Int) -> Entry? {
        place(of: key).map { segments[$0.segment]!.remove(at: $0.index) }
    }

    mutating func evictColdest(of segment: Segment) -> Entry? { segments[segment]!.popLast() }

    mutating func prepareToEvict(
        _ byteCount: Int, of segment: Segment, passingOverAtMost limit: Int, where canGo: (Int) -> Bool
    ) -> Int {
        var (evictable, passedOver) = (0, 0)
        for entry in segments[segment]!.reversed() where evictable < byteCount && passedOver <= limit {
            if !entry.wasUsed || canGo(entry.value) {
                evictable += entry.byteCount
            } else {
                passedOver += 1
                let index = segments[segment]!.firstIndex(of: entry)!
                segments[segment]!.insert(segments[segment]!.remove(at: index), at: 0)
            }
        }
        return evictable
    }

    mutating func move(_ key: Int, to segment: Segment) {
        guard let (current, index) = place(of: key), current != segment else { return }
        let entry = segments[current]!.remove(at: index)
        link(entry, into: segment, at: segment == .loose && !entry.wasUsed ? .cold : .hot)
    }

    private mutating func link(_ entry: Entry, into segment: Segment, at position: Position) {
        switch position {
        case .hot: segments[segment]!.insert(entry, at: 0)
        case .cold: segments[segment]!.append(entry)
        }
    }

    private func place(of key: Int) -> (segment: Segment, index: Int)? {
        for segment in [Segment.loose, .held] {
            if let index = segments[segment]!.firstIndex(where: { $0.key == key }) { return (segment, index) }
        }
        return nil
    }
}
