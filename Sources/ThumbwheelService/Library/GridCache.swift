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
        let hashMark: HashMark
        /// The assets that a limited tenant sees; nil for all. A policy may allow others without any transaction.
        let allowed: AccessDigest?

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

        fileprivate var byteCount: Int { plain.count + (compressed?.count ?? 0) }

        init(_ plain: [UInt8]) {
            self.plain = plain
            compressed = GzipText.compressed(plain)
            tag = String(XXHash64.digest(plain), radix: 36)
        }
    }

    /// How many grids are kept of one tenant.
    private static let countPerTenant = 8

    private let capacity: Int
    private let byteLimit: Int
    /// The grids, the one asked for last at the end.
    private let grids = Mutex<[(key: Key, grid: Grid)]>([])

    /// - Parameters:
    ///   - tenantCount: The number of tenants, none of which must push out what the others have asked for.
    ///   - byteLimit: The bytes that all grids may take together. The grid that was made last is kept, whatever it takes.
    init(tenantCount: Int, byteLimit: Int = 256 << 20) {
        capacity = Self.countPerTenant * max(1, min(64, tenantCount))
        self.byteLimit = byteLimit
    }

    /// The bytes that all grids take.
    var byteCount: Int { grids.withLock { $0.reduce(0) { $0 + $1.grid.byteCount } } }

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
            dropped += Self.shrink(&grids, to: byteLimit)
            return Array(dropped)
        }
        _ = dropped
        return grid
    }

    /// Takes out grids until the others are within a limit: always the oldest of the tenant whose grids take most.
    private static func shrink(
        _ grids: inout [(key: Key, grid: Grid)], to byteLimit: Int
    ) -> [(key: Key, grid: Grid)] {
        var dropped: [(key: Key, grid: Grid)] = []
        var byteCounts: [Int: Int] = [:]
        for each in grids { byteCounts[each.key.tenant, default: 0] += each.grid.byteCount }
        var total = byteCounts.values.reduce(0, +)
        while total > byteLimit, let largest = byteCounts.max(by: { ($0.value, $0.key) < ($1.value, $1.key) })?.key {
            // The last one has just been made.
            guard let index = grids.dropLast().firstIndex(where: { $0.key.tenant == largest }) else {
                byteCounts[largest] = nil
                continue
            }
            let grid = grids.remove(at: index)
            total -= grid.grid.byteCount
            byteCounts[largest, default: 0] -= grid.grid.byteCount
            dropped.append(grid)
        }
        return dropped
    }
}
