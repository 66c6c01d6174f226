import ThumbwheelRendering

/// A Live Photo: a still, and the movie from around the moment at which the still was taken.
public struct LivePhoto: Sendable {
    /// The still, rendered like any image.
    public let still: Bitmap
    /// The movie with its tracks and bytes. Nil only in degraded results.
    public let movie: Movie?

    /// The time in the movie at which the still was taken, in seconds from the beginning. Nil if the movie does not
    /// state it, and while there is no movie.
    public var stillTime: Double? { movie?.stillTime }

    package init(still: Bitmap, movie: Movie?) {
        (self.still, self.movie) = (still, movie)
    }
}
