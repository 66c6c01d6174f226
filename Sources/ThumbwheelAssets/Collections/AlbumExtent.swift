import Foundation
import ThumbwheelLocks

/// The dates and the place at which the assets of an album were taken. The assets are those that a fetch of the album
/// without options finds.
final class AlbumExtent: Sendable {
    private enum State {
        case unread(CollectionIdentifier, Snapshot)
        case read(CollectionExtent.Bounds)
    }

    private let state: Mutex<State>

    init(_ album: CollectionIdentifier, in snapshot: Snapshot) {
        state = Mutex(.unread(album, snapshot))
    }

    var bounds: CollectionExtent.Bounds {
        // The snapshot is released outside the lock. It may hold the last reference to objects of the host program.
        // Their deinitialisers are foreign code, which could use this library and wait for the same lock forever.
        let (bounds, _) = state.withLock { state -> (CollectionExtent.Bounds, Snapshot?) in
            switch state {
            case .read(let bounds): return (bounds, nil)
            case .unread(let album, let snapshot):
                let bounds = Self.bounds(of: album, snapshot)
                state = .read(bounds)
                return (bounds, snapshot)
            }
        }
        return bounds
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
