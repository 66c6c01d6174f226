import ThumbwheelPipeline

/// A video that is ready to be played, or to be sent to a player: a service that answers range requests needs nothing
/// else.
///
/// An answer to a range request has the item's bytes of that range, with `movie.mediaType` as its type and `entityTag`
/// as its tag, by which a player sees whether the ranges that it has are parts of the same file.
public struct PlayerItem: Sendable {
    /// The video: its tracks, duration and bytes.
    public let movie: Movie
    /// A tag that changes whenever the bytes change.
    public let entityTag: EntityTag
    /// Whether a player that reads the file from its beginning can start before it has all of it. If not, a player that
    /// can read ranges reads the end of the file first.
    public var startsEarly: Bool { movie.contents.isIndexInFront }
}
