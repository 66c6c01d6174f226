import ThumbwheelCore

/// The memory of a row of tiles, which is filled with pictures that are decoded one by one.
protocol TileBand: AnyObject, Sendable {
    /// Stores the samples of a tile at its place in the row of tiles.
    ///
    /// - Parameters:
    ///   - row: the number of the row of tiles in the image.
    ///   - column: the number of the column of tiles in the image.
    /// - Throws: `.malformed` if the picture has another format than the first tile, or is smaller than a tile.
    func put(_ picture: DecodedPicture, atRow row: Int, column: Int) throws(RenderError)

    /// Fills the place of a tile with neutral grey.
    func putGrey(atRow row: Int, column: Int)

    /// Passes the stored samples to a feed.
    ///
    /// - Parameter row: the number of the stored row of tiles in the image.
    func pass(to feed: TileFeed, row: Int)
}
