import ThumbwheelLocks

/// The row numbers of a fetch result, with the snapshot to which they refer and the query that found them.
final class AssetRows: Sendable {
    let rows: [UInt32]
    let snapshot: Snapshot
    let query: AssetQuery
    /// The identity of the library. The rows of two results can be compared only if both come from the same library.
    let library: LibraryIdentity
    /// For each row of the snapshot, its position in the result, or `noPosition`. The table is made when it is first
    /// needed, and copies of the result share it.
    private let positions = Mutex<[UInt32]?>(nil)
    /// How many rows have each media type; the keys are the types' raw values. The rows are counted when a count is
    /// first needed.
    private let counts = Mutex<[UInt8: Int]?>(nil)

    private static let noPosition = UInt32.max

    init(_ rows: [UInt32], _ query: AssetQuery, _ snapshot: Snapshot, _ library: LibraryIdentity) {
        self.rows = rows
        self.query = query
        self.snapshot = snapshot
        self.library = library
    }

    private var isAscending: Bool {
        switch query.source {
        case .library, .burst, .matching: query.options.sortDescriptors.isEmpty
        case .identifiers, .members, .album: false
        }
    }

    func count(of mediaType: AssetMediaType) -> Int {
        counts.withLock { counts in
            let known = counts ?? countedTypes
            counts = known
            return known[UInt8(mediaType.rawValue)] ?? 0
        }
    }

    private var countedTypes: [UInt8: Int] {
        var counts = [Int](repeating: 0, count: Int(UInt8.max) + 1)
        for row in rows {
            counts[Int(snapshot.chunks[Chunk.index(of: row)].columns.mediaType[Chunk.slot(of: row)])] += 1
        }
        return Dictionary(uniqueKeysWithValues: counts.enumerated().map { (UInt8($0.offset), $0.element) })
    }

    /// Returns the position of a row in the result. If the result is in the order of import, a lookup takes logarithmic
    /// time. Otherwise, the first lookup makes a table of all positions, and every later one takes constant time.
    func position(of row: UInt32) -> Int? {
        if isAscending {
            var (low, high) = (0, rows.count)
            while low < high {
                let middle = (low + high) / 2
                if rows[middle] < row { low = middle + 1 } else { high = middle }
            }
            return low < rows.count && rows[low] == row ? low : nil
        }
        return positions.withLock { positions in
            if positions == nil {
                var table = [UInt32](repeating: Self.noPosition, count: snapshot.rowCount)
                for (position, row) in rows.enumerated() { table[Int(row)] = UInt32(position) }
                positions = table
            }
            guard let table = positions, Int(row) < table.count, table[Int(row)] != Self.noPosition else { return nil }
            return Int(table[Int(row)])
        }
    }
}

extension FetchResult<Asset> {
    init(_ rows: AssetRows) {
        storage = .rows(rows) { snapshot, row in snapshot.asset(at: row) }
        collectionQuery = nil
    }

    /// Returns the number of assets of a media type in the result.
    ///
    /// - Complexity: the first call, for any media type, takes time linear in the size of the result. Later calls take
    ///   constant time. If the result was made from a sequence, every call takes linear time.
    public func countOfAssets(with mediaType: AssetMediaType) -> Int {
        guard case .rows(let rows, _) = storage else { return count { $0.mediaType == mediaType } }
        return rows.count(of: mediaType)
    }

    /// Returns the position of an asset; nil if it is not in the result.
    ///
    /// - Complexity: constant or logarithmic, with two exceptions. If the result is not in the order of import, the
    ///   first lookup takes time linear in the number of assets in the library. If the result was made from a sequence,
    ///   every lookup takes time linear in the size of the result.
    public func index(of asset: some AssetReference) -> Int? {
        guard case .rows(let rows, _) = storage else { return firstIndex { $0.identifier == asset.identifier } }
        return rows.snapshot.row(of: asset.identifier).flatMap { rows.position(of: $0) }
    }

    /// Returns the position of an asset; nil if it is not in the result.
    public func index(of asset: Asset) -> Int? { index(of: asset.identifier) }

    /// Returns the position of an asset if the position is in `range`; otherwise nil.
    public func index(of asset: some AssetReference, in range: Range<Int>) -> Int? {
        index(of: asset.identifier).flatMap { range.contains($0) ? $0 : nil }
    }

    /// Returns the position of an asset; nil if it is not in the result.
    public func firstIndex(of asset: Asset) -> Int? { index(of: asset.identifier) }

    /// Whether the asset is in the result.
    ///
    /// - Complexity: the same as for `index(of:)`.
    public func contains(_ asset: Asset) -> Bool { index(of: asset.identifier) != nil }
}
