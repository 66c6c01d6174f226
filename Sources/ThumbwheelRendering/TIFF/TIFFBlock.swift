/// One strip or tile of a TIFF, which hands over its rows from top to bottom.
protocol TIFFBlock: AnyObject {
    /// Makes the next `count` rows of the strip or tile.
    ///
    /// - Parameters:
    ///   - width: the number of pixels to make in each row, from the left edge on.
    ///   - target: the memory for the rows' channels, with each row `pitch` bytes after the row above it. Four bytes
    ///     after a row may be overwritten.
    /// - Returns: the number of rows that were made, and the error that prevented more rows; nil if all rows were made.
    func takeRows(
        _ count: Int, width: Int, into target: UnsafeMutablePointer<UInt8>, pitch: Int
    ) -> (count: Int, error: RenderError?)
}
