extension CollectionTable {
    /// Makes a valid table from records that may contradict each other.
    ///
    /// - A collection is in the folder that lists it. If several folders list it, it is in the first of them that is
    ///   found.
    /// - A collection that no folder lists moves to the top level.
    /// - If folders contain each other in a circle, one collection of the circle, or inside it, moves to the top level.
    ///   This is repeated until all can be reached from the top level.
    /// - Albums keep those of their assets that exist.
    ///
    /// - Parameters:
    ///   - number: the number of the library's last transaction. If a collection has a greater change number, it gets
    ///     this number.
    ///   - isAlive: returns whether a row belongs to an asset. It is called only for rows less than `rowCount`.
    ///   - repaired: receives the identifiers of the collections that had to be changed.
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
                // An album with impossible or repeated row numbers is damaged. An album with dead rows (rows of deleted
                // assets) is not, because albums in undamaged libraries contain such rows too.
                if rows.count < record.rows.count { mended.insert(record.identifier) }
                record.rows = rows.filter(isAlive)
                if !children[record.identifier, default: []].isEmpty { mended.insert(record.identifier) }
                children[record.identifier] = nil
            }
            order.append(record.identifier)
            self[record.identifier] = record
        }
        var placed: Set<CollectionIdentifier> = [.root]
        // Puts the collections inside `folder`, at any depth, into the table. A stack replaces recursion, because
        // folders in a file may be nested to any depth.
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
        // Some collections are still missing, because they cannot be reached from the top level. `below` contains the
        // missing collections that are in a folder. First, the missing collections that are in no folder move to the
        // top level, with everything inside them. After that, the only missing collections are in folders that contain
        // each other in a circle, or inside such folders. As long as there are any, the first of them moves to the top
        // level, with everything inside it.
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
    /// Sets the number for the next new collection to one more than the greatest number in use. If too few numbers are
    /// left after that, all collections are numbered again. `order` contains all collections.
    private mutating func continueSequence(of order: [CollectionIdentifier]) {
        var newest = order.compactMap { self[$0]?.sequence }.max() ?? 0
        if newest >= ChangeHistory.numberLimit / 2 {
            newest = UInt64(order.count)
            for (index, identifier) in order.enumerated() { update(identifier) { $0.sequence = UInt64(index + 1) } }
        }
        setNextSequence(newest + 1)
    }
}
