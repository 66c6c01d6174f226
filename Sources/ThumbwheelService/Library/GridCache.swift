import Thumbwheel
import ThumbwheelCore
import ThumbwheelLocks

/// The grids that were asked for last, so that a page that comes back is told that nothing has changed without a fetch.
final class GridCache: Sendable {
    /// All values that the bytes of a grid depend on.
    struct Key: Hashable {
        let tenant: Int
        let album: String
        let order: String
        let token: ChangeToken
        /// Rises as renders leave ThumbHashes, which no transaction tells of.
        let hashEpoch: Int
    }

    /// A grid as it is sent.
    struct Grid: Sendable {
        let plain: [UInt8]
        /// The same in gzip; nil if that is no shorter.
        let compressed: [UInt8]?
        /// Made of the bytes, so that it tells a limited view nothing of changes that it does not see.
        let tag: String

        init(_ plain: [UInt8]) {
            self.plain = plain
            compressed = GzipText.compressed(plain)
            tag = String(XXHash64.digest(plain), radix: 36)
        }
    }

    private static let capacity = 8
    /// The grids, the one asked for last at the end.
    private let grids = Mutex<[(key: Key, grid: Grid)]>([])

    /// Returns a grid, which is made if it is not kept.
    func grid(_ key: Key, make: () -> [UInt8]) -> Grid {
        let kept = grids.withLock { grids -> Grid? in
            guard let index = grids.firstIndex(where: { $0.key == key }) else { return nil }
            grids.append(grids.remove(at: index))
            return grids.last?.grid
        }
        if let kept { return kept }
        let grid = Grid(make())
        let dropped = grids.withLock { grids in
            let dropped = grids.count < Self.capacity ? nil : grids.removeFirst()
            grids.append((key, grid))
            return dropped
        }
        _ = dropped
        return grid
    }
}
