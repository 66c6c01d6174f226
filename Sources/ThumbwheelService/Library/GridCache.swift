import Thumbwheel
import ThumbwheelCore
import ThumbwheelLocks

/// The grids and lists of albums that were asked for last, so that a page that comes back is told that nothing has changed
/// without a fetch.
final class GridCache: Sendable {
    /// All values that the bytes of a grid depend on.
    struct Key: Equatable, Sendable {
        let tenant: Int
        /// The kind of a list of albums; nil for a grid.
        var albums: String?
        let album: String
        let order: String
        let token: ChangeToken
        /// Rises as assets are given ThumbHashes, which no transaction tells of.
        let hashCount: Int
        /// Whether hashes are shown that others' requests have left.
        let showsAllHashes: Bool
        /// The assets that a limited tenant sees; nil for all. A policy may allow others without any transaction.
        let allowed: Set<AssetIdentifier>?

        /// Whether another key is of the same list at another time.
        func isList(_ other: Key) -> Bool {
            tenant == other.tenant && albums == other.albums && album == other.album && order == other.order
        }
    }

    /// A grid as it is sent.
    struct Grid: Sendable {
        let plain: [UInt8]
        /// The same in gzip; nil if that is no shorter.
        fileprivate(set) var compressed: [UInt8]?
        /// Made of the bytes, so that it tells a limited view nothing of changes that it does not see.
        let tag: String

        init(_ plain: [UInt8]) {
            self.plain = plain
            compressed = GzipText.compressed(plain)
            tag = String(XXHash64.digest(plain), radix: 36)
        }
    }

    /// How many grids are kept of one tenant.
    private static let countPerTenant = 8

    private let capacity: Int
    /// The grids, the one asked for last at the end.
    private let grids = Mutex<[(key: Key, grid: Grid)]>([])

    /// - Parameter tenantCount: The number of tenants, none of which must push out what the others have asked for.
    init(tenantCount: Int) { capacity = Self.countPerTenant * max(1, min(64, tenantCount)) }

    /// Returns a grid that is kept; nil if it is not.
    func kept(_ key: Key) -> Grid? {
        grids.withLock { grids -> Grid? in
            guard let index = grids.firstIndex(where: { $0.key == key }) else { return nil }
            grids.append(grids.remove(at: index))
            return grids.last?.grid
        }
    }

    /// Returns the grid that a page has, by its tag, from which a later one is made; nil if it is not kept any more.
    func earlier(_ key: Key, tag: String) -> Grid? {
        grids.withLock { grids in
            grids.last { kept in
                kept.key.isList(key) && (kept.grid.tag == tag || kept.grid.tag + "z" == tag)
            }?.grid
        }
    }

    /// Returns a grid, which is made if it is not kept. Grids of the same tenant are asked for one after another, so none is
    /// made twice.
    func grid(_ key: Key, make: () throws(ServiceError) -> [UInt8]) throws(ServiceError) -> Grid {
        if let kept = kept(key) { return kept }
        let grid = Grid(try make())
        let dropped = grids.withLock { grids in
            // Pages have the grid before this one, of which they are sent the difference. Earlier ones are of no use any more.
            var dropped = grids.filter { $0.key.isList(key) }.dropLast()
            let earlier = grids.last { $0.key.isList(key) }
            grids.removeAll { $0.key.isList(key) }
            if var earlier {
                earlier.grid.compressed = nil
                grids.append(earlier)
            }
            let others = grids.indices.filter { grids[$0].key.tenant == key.tenant }
            if others.count >= Self.countPerTenant { dropped.append(grids.remove(at: others[0])) }
            if grids.count >= capacity { dropped.append(grids.removeFirst()) }
            grids.append((key, grid))
            return Array(dropped)
        }
        _ = dropped
        return grid
    }
}
