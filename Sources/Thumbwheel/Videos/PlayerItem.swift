import ThumbwheelPipeline

/// A video that is ready to be played, or to be sent to a player. It has everything that a service needs to answer
/// range requests.
///
/// An answer to a range request has the item's bytes in that range, `movie.mediaType` as its type, and `entityTag` as
/// its tag. By the tag, a player recognises whether two ranges that it has loaded belong to the same file.
public struct PlayerItem: Sendable {
    /// The video: its tracks, duration and bytes.
    public let movie: Movie
    /// A tag that changes whenever the bytes change. For a file, it depends on the length and the time of the last change
    /// of the file that `movie` has open.
    public let entityTag: EntityTag
    /// Whether a player that reads the file from its beginning can start before it has read the whole file. If not, a
    /// player that can read ranges reads the end of the file first.
    public var startsEarly: Bool { movie.contents.isIndexInFront }
}
