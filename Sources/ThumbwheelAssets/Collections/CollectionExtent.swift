import Foundation
import ThumbwheelCore

/// The dates and the place at which the assets of a collection were taken.
enum CollectionExtent: Sendable {
    struct Bounds: Sendable {
        var start: Date?
        var end: Date?
        var place: Location?
    }

    case unknown
    case known(Bounds)
    /// The dates and the place of an album. They are computed when they are first read, because lists of albums are
    /// fetched more often than these values are read.
    case album(AlbumExtent)

    var bounds: Bounds? {
        switch self {
        case .unknown: nil
        case .known(let bounds): bounds
        case .album(let extent): extent.bounds
        }
    }
}
