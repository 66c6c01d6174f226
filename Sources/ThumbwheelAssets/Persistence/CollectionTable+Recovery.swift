extension CollectionTable {
    /// Makes a sound table from records that may contradict each other.
    ///
    /// Every collection stays in the folder that lists it, if there is one, and otherwise goes to the top level. Albums
    /// keep the members that exist.
    ///
    /// - Parameters:
    ///   - number: the number of the library's last transaction; a collection with a later change number gets this
    ///     number.
    ///   - isAlive: whether a row holds an asset; called only for rows below `rowCount`.
    ///   - repaired: receives the identifiers of the collections that could not stay as they were.
    init(
        recovering records: [CollectionRecord], root: CollectionRecord?, rowCount: Int, number: UInt64,
        isAlive: (UInt32) -> Bool, repaired: inout [CollectionIdentifier]
    ) {
        self.init()
        if var root, root.identifier == .root {
            root.children = []
            root.changeNumber = min(root.changeNumber, number)
            self[.root] = root
        }
        var mended: Set<CollectionIdentifier> = []
        var children: [CollectionIdentifier: [CollectionIdentifier]] = [.root: root?.children ?? []]
        var order: [CollectionIdentifier] = []
        for record in records where record.identifier != .root && self[record.identifier] == nil {
            var record = record
            children[record.identifier] = record.children
            record.children = []
            record.changeNumber = min(record.changeNumber, number)
            if record.isFolder {
                record.rows = []
            } else {
                var seen: Set<UInt32> = []
                let rows = record.rows.filter { row in
                    Int(row) < rowCount && Chunk.slot(of: row) < Chunk.rowCount && seen.insert(row).inserted
                }
                // Only rows that cannot exist and repeated rows are damage. Dead rows are not, because albums of
                // undamaged libraries contain them too.
                if rows.count < record.rows.count { mended.insert(record.identifier) }
                record.rows = rows.filter(isAlive)
                if !children[record.identifier, default: []].isEmpty { mended.insert(record.identifier) }
                children[record.identifier] = nil
            }
            order.append(record.identifier)
            self[record.identifier] = record
        }
        var placed: Set<CollectionIdentifier> = [.root]
        // Uses a stack instead of recursion, because a file may nest folders to any depth.
        func fill(_ folder: CollectionIdentifier, _ table: inout CollectionTable) {
            var pending = [folder]
            while let next = pending.popLast() {
                for child in children[next] ?? [] {
                    guard let record = table[child], placed.insert(child).inserted else {
                        mended.insert(next)
                        continue
                    }
                    if record.parent != next { mended.insert(child) }
                    table.update(child) { $0.parent = next }
                    table.update(next) { $0.children.append(child) }
                    pending.append(child)
                }
            }
        }
        fill(.root, &self)
        // Some collections cannot be reached from the top level. Those that no unreachable folder lists are placed at
        // the top level first, then those in cycles.
        let below = Set(order.filter { !placed.contains($0) }.flatMap { children[$0] ?? [] })
        for identifier in order.filter({ !below.contains($0) }) + order where !placed.contains(identifier) {
            placed.insert(identifier)
            mended.insert(identifier)
            update(identifier) { $0.parent = .root }
            update(.root) { $0.children.append(identifier) }
            fill(identifier, &self)
        }
        continueSequence(of: order)
        for identifier in order where mended.contains(identifier) { repaired.append(identifier) }
        if mended.contains(.root) { repaired.append(.root) }
    }
    /// Continues the sequence numbers of collections after the largest one in use. If that leaves no room for later
    /// numbers, all collections are renumbered. `order` lists all collections.
    private mutating func continueSequence(of order: [CollectionIdentifier]) {
        var newest = order.compactMap { self[$0]?.sequence }.max() ?? 0
        if newest >= ChangeHistory.endOfTime / 2 {
            newest = UInt64(order.count)
            for (index, identifier) in order.enumerated() { update(identifier) { $0.sequence = UInt64(index + 1) } }
        }
        setNextSequence(newest + 1)
    }
}
