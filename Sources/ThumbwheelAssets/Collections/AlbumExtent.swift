import Foundation
import ThumbwheelLocks

/// The number of the assets of an album, and the dates and the place at which they were taken. The assets are those
/// that a fetch of the album without options finds. The values are computed when they are first read.
final class AlbumExtent: Sendable {
    private struct State {
        /// The snapshot from which the values are computed; nil once all of them are known.
        var snapshot: Snapshot?
        var bounds: CollectionExtent.Bounds?
        var count: Int?
    }

    private let album: CollectionIdentifier
    private let state: Mutex<State>

    init(_ album: CollectionIdentifier, in snapshot: Snapshot) {
        self.album = album
        state = Mutex(State(snapshot: snapshot))
    }

    var bounds: CollectionExtent.Bounds { value(\.bounds) { Self.bounds(of: album, $0) } ?? CollectionExtent.Bounds() }

    var count: Int { value(\.count) { $0.countOfShown(in: album) } ?? 0 }

    private func value<Value: Sendable>(
        _ known: WritableKeyPath<State, Value?>, _ compute: (Snapshot) -> Value
    ) -> Value? {
        // The snapshot is released outside the lock. It may hold the last reference to objects of the host program.
        // Their deinitialisers are foreign code, which could use this library and wait for the same lock forever.
        let (value, _) = state.withLock { state -> (Value?, Snapshot?) in
            guard state[keyPath: known] == nil, let snapshot = state.snapshot else {
                return (state[keyPath: known], nil)
            }
            state[keyPath: known] = compute(snapshot)
            if state.bounds != nil, state.count != nil { state.snapshot = nil }
            return (state[keyPath: known], snapshot)
        }
        return value
    }

    private static func bounds(of album: CollectionIdentifier, _ snapshot: Snapshot) -> CollectionExtent.Bounds {
        let query = AssetQuery(source: .album(album), options: FetchOptions(), view: .all)
        var (earliest, latest) = (Double.infinity, -Double.infinity)
        var bounds = CollectionExtent.Bounds()
        for row in AssetSelection(query, in: snapshot).rows() {
            let (columns, slot) = (snapshot.chunks[Chunk.index(of: row)].columns, Chunk.slot(of: row))
            if bounds.place == nil { bounds.place = columns.location(at: slot) }
            guard let time = AbsentNumber.date(columns.creation[slot])?.timeIntervalSinceReferenceDate else { continue }
            earliest = min(earliest, time)
            latest = max(latest, time)
        }
        if earliest <= latest {
            bounds.start = Date(timeIntervalSinceReferenceDate: earliest)
            bounds.end = Date(timeIntervalSinceReferenceDate: latest)
        }
        return bounds
    }
}

extension Snapshot {
    /// Returns the number of assets that a fetch of an album without options finds.
    ///
    /// - Complexity: linear in the number of the album's assets, also of those that such a fetch leaves out.
    fileprivate func countOfShown(in album: CollectionIdentifier) -> Int {
        var (index, shown) = (-1, RowMask.none)
        return (collections[album]?.rows ?? []).count { row in
            // Most albums have many neighbouring rows, so the flags of a chunk are combined once for several rows.
            if Chunk.index(of: row) != index {
                index = Chunk.index(of: row)
                shown = chunks[index].columns.shownInAlbums
            }
            return shown.contains(Chunk.slot(of: row))
        }
    }
}

extension ChunkColumns {
    /// The rows that a fetch of an album without options finds if they are in the album.
    var shownInAlbums: RowMask { mask(.alive) & ~(mask(.trashed) | mask(.hidden) | mask(.burstRest)) }
}
