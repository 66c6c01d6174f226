extension Range<Int> {
    /// Moves the window: stops the items that the move leaves behind, and starts the items that it adds, with greater urgencies
    /// than all items that were started before.
    mutating func move(to wanted: Range<Int>, startedCount: inout Int) -> [GridAction] {
        let removed = filter { !wanted.contains($0) }
        let added = wanted.filter { !contains($0) }
        self = wanted
        defer { startedCount += added.count }
        return (added.isEmpty ? [] : [.startCaching(added, urgency: Double(startedCount))])
            + (removed.isEmpty ? [] : [.stopCaching(removed)])
    }
}
