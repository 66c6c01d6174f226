extension Range<Int> {
    /// Moves the caching window. Removes the items that are not wanted any more, and adds new ones with greater
    /// urgencies than all items added before.
    mutating func move(to wanted: Range<Int>, startedCount: inout Int) -> [GridAction] {
        let removed = filter { !wanted.contains($0) }
        let added = wanted.filter { !contains($0) }
        self = wanted
        defer { startedCount += added.count }
        return (added.isEmpty ? [] : [.startCaching(added, urgency: Double(startedCount))])
            + (removed.isEmpty ? [] : [.stopCaching(removed)])
    }
}
