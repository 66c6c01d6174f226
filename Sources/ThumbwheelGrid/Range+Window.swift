extension Range<Int> {
    /// Stops what the move leaves behind and starts what it adds, after all that was started before.
    mutating func move(to wanted: Range<Int>, startedCount: inout Int) -> [GridAction] {
        let removed = filter { !wanted.contains($0) }
        let added = wanted.filter { !contains($0) }
        self = wanted
        defer { startedCount += added.count }
        return (added.isEmpty ? [] : [.startCaching(added, urgency: Double(startedCount))])
            + (removed.isEmpty ? [] : [.stopCaching(removed)])
    }
}
