extension CollectionTable {
    /// Makes a table that is sound of records that need not be.
    ///
    /// Every collection stays where the folder above it has it, if one does, and else goes to the top level; albums keep the
    /// members that there are.
    ///
    /// - Parameters:
    ///   - isAlive: whether a row, one of `rowCount`, is an asset.
    ///   - repaired: gets the identifiers of those that could not be left as they were.
    init(
        recovering records: [CollectionRecord], root: CollectionRecord?, rowCount: Int, isAlive: (UInt32) -> Bool,
        repaired: inout [CollectionIdentifier]
    ) {
        self.init()
        if var root, root.identifier == .root {
            root.children = []
            self[.root] = root
        }
        var mended: Set<CollectionIdentifier> = []
        var children: [CollectionIdentifier: [CollectionIdentifier]] = [.root: root?.children ?? []]
        var order: [CollectionIdentifier] = []
        for record in records where record.identifier != .root && self[record.identifier] == nil {
            var record = record
            children[record.identifier] = record.children
            record.children = []
            if record.isFolder {
                record.rows = []
            } else {
                var seen: Set<UInt32> = []
                let rows = record.rows.filter { row in
                    Int(row) < rowCount && Chunk.slot(of: row) < Chunk.rowCount && seen.insert(row).inserted
                }
                // Rows that have died are in albums of sound libraries, too.
                if rows.count < record.rows.count { mended.insert(record.identifier) }
                record.rows = rows.filter(isAlive)
                if !children[record.identifier, default: []].isEmpty { mended.insert(record.identifier) }
                children[record.identifier] = nil
            }
            order.append(record.identifier)
            self[record.identifier] = record
        }
        var placed: Set<CollectionIdentifier> = [.root]
        // A stack instead of recursion: how deep folders go is not for us to say.
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
        // What is below none that leads to the top: first those that nothing is above, then what goes round in circles.
        let below = Set(order.filter { !placed.contains($0) }.flatMap { children[$0] ?? [] })
        for identifier in order.filter({ !below.contains($0) }) + order where !placed.contains(identifier) {
            placed.insert(identifier)
            mended.insert(identifier)
            update(identifier) { $0.parent = .root }
            update(.root) { $0.children.append(identifier) }
            fill(identifier, &self)
        }
        setNextSequence(min(order.compactMap { self[$0]?.sequence }.max() ?? 0, ChangeHistory.endOfTime - 2) + 1)
        for identifier in order where mended.contains(identifier) { repaired.append(identifier) }
        if mended.contains(.root) { repaired.append(.root) }
    }
}
