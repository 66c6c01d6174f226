import Foundation
import ThumbwheelCore

/// When and where the assets of a collection were taken.
enum CollectionExtent: Sendable {
    struct Bounds: Sendable {
        var start: Date?
        var end: Date?
        var place: Location?
    }

    case unknown
    case known(Bounds)
    /// Found out when it is first asked for, because a list of albums is fetched more often than their dates are read.
    case album(AlbumExtent)

    var bounds: Bounds? {
        switch self {
        case .unknown: nil
        case .known(let bounds): bounds
        case .album(let extent): extent.bounds
        }
    }
}
