/// A search for the rows of a snapshot that meet a query.
struct AssetSelection {
    let snapshot: Snapshot
    let query: AssetQuery
    /// If the query names an album or identifiers, only the rows of the album or of the identifiers can be found.
    /// `rows` contains these rows in the order of the album or of the identifiers. `masks` contains the same rows as
    /// sets: one `RowMask` for each chunk (block of rows). For all other queries, `list` is nil, and every row can be
    /// found.
    private var list: (rows: [UInt32], masks: [RowMask])?
    /// The rows that the user may see, as one `RowMask` (a set of rows) for each chunk; nil if the user may see all
    /// rows.
    private var allowed: [RowMask]?
    private let burst: (any RowTest)?
    /// The range of creation dates that the query allows. An asset with a date outside this range cannot meet the
    /// query.
    private let dates: DateBounds

    init(_ query: AssetQuery, in snapshot: Snapshot) {
        self.query = query
        self.snapshot = snapshot
        if case .burst(let identifier) = query.source {
            // An empty burst identifier must not find anything. Assets outside bursts have an empty text in the column
            // `bursts`, so a comparison of texts would find them.
            burst =
                identifier.isEmpty
                ? ConstantTest(holds: false) : RowTestCompiler.textComparison({ $0.bursts }, .equal, identifier)
        } else {
            burst = nil
        }
        var dates = query.options.predicate?.test.dates ?? .all
        if case .matching(let test, _) = query.source { dates = dates.intersection(test.dates) }
        if case .nothing = query.view { dates = DateBounds() }
        self.dates = dates
        switch query.source {
        case .identifiers(let identifiers), .members(let identifiers):
            var seen: Set<UInt32> = []
            let rows = snapshot.rows(of: identifiers).compactMap(\.self).filter { seen.insert($0).inserted }
            list = (rows, masks(rows))
        case .album(let identifier):
            let rows = snapshot.collections[identifier]?.rows ?? []
            list = (rows, masks(rows))
        case .library, .burst, .matching: break
        }
        if case .limited(let identifiers) = query.view {
            allowed = masks(snapshot.rows(of: Array(identifiers)).compactMap(\.self))
        }
    }

    private func masks(_ rows: [UInt32]) -> [RowMask] {
        var masks = [RowMask](repeating: .none, count: snapshot.chunks.count)
        for row in rows { masks[Chunk.index(of: row)].insert(Chunk.slot(of: row)) }
        return masks
    }

    /// Returns the rows that the query finds among `candidates` in the chunk with this index.
    func mask(_ index: Int, candidates: RowMask = .all) -> RowMask {
        guard dates.overlaps(snapshot.chunks.creationBounds(index)) else { return .none }
        var mask = candidates
        if let list { mask &= list.masks[index] }
        if let allowed { mask &= allowed[index] }
        if mask.isEmpty { return mask }
        let chunk = snapshot.chunks[index]
        let columns = chunk.columns
        mask &= columns.mask(.alive)
        let options = query.options
        var scope = AssetQuery.Scope(includesHidden: options.includeHiddenAssets)
        var takesAllSources = false
        var takesBurstRest = options.includeAllBurstAssets
        switch query.source {
        case .matching(_, let own):
            scope.includesHidden = scope.includesHidden || own.includesHidden
            scope.isTrash = own.isTrash
        case .identifiers:
            scope.includesHidden = true
            takesAllSources = true
            takesBurstRest = true
        case .album, .members: takesAllSources = true
        case .library, .burst: break
        }
        mask &= scope.isTrash ? columns.mask(.trashed) : ~columns.mask(.trashed)
        if !scope.includesHidden { mask &= ~columns.mask(.hidden) }
        if !takesBurstRest { mask &= ~columns.mask(.burstRest) }
        if !options.includeAssetSourceTypes.isEmpty {
            let wanted = options.includeAssetSourceTypes.rawValue
            ColumnScan.refine(&mask, columns.sourceType) { $0 & wanted != 0 }
        } else if !takesAllSources {
            mask &= ~columns.mask(.outsideUserLibrary)
        }
        if case .matching(let test, _) = query.source { test.refine(&mask, in: chunk) }
        burst?.refine(&mask, in: chunk)
        options.predicate?.test.refine(&mask, in: chunk)
        return mask
    }

    func contains(_ row: UInt32) -> Bool {
        var candidate = RowMask.none
        candidate.insert(Chunk.slot(of: row))
        return !mask(Chunk.index(of: row), candidates: candidate).isEmpty
    }

    /// Returns the rows that the query finds, sorted. If the options set a limit, only the first rows up to that limit
    /// are returned.
    func rows() -> [UInt32] {
        let options = query.options
        if let newest = NewestRows(self) { return newest.rows() }
        var rows: [UInt32]
        if let list, options.sortDescriptors.isEmpty {
            let found = snapshot.chunks.indices.map { list.masks[$0].isEmpty ? .none : mask($0) }
            rows = list.rows.filter { found[Chunk.index(of: $0)].contains(Chunk.slot(of: $0)) }
        } else {
            rows = ascendingRows()
            if !options.sortDescriptors.isEmpty {
                rows = RowSort.sorted(rows, by: options.sortDescriptors, in: snapshot)
            }
        }
        if options.fetchLimit > 0, rows.count > options.fetchLimit { rows.removeSubrange(options.fetchLimit...) }
        return rows
    }

    private func ascendingRows() -> [UInt32] {
        // If the result is not sorted, the search can end when it has found as many rows as the limit.
        let limit = query.options.sortDescriptors.isEmpty ? query.options.fetchLimit : 0
        var rows: [UInt32] = []
        if list == nil, allowed == nil, query.options.predicate == nil, limit == 0 {
            rows.reserveCapacity(snapshot.rowCount)
        }
        for index in snapshot.chunks.indices {
            let base = Chunk.row(index, 0)
            mask(index).forEachSlot { rows.append(base | UInt32(truncatingIfNeeded: $0)) }
            if limit > 0, rows.count >= limit { break }
        }
        return rows
    }

    /// Counts the rows that the query finds, without listing or sorting them.
    func count() -> Int {
        var count = 0
        for index in snapshot.chunks.indices { count += mask(index).count }
        return query.options.fetchLimit > 0 ? min(count, query.options.fetchLimit) : count
    }
}
