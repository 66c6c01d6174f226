/// One strip or tile, which hands out its rows from top to bottom.
protocol TIFFBlock: AnyObject {
    /// Makes the next rows.
    ///
    /// - Parameters:
    ///   - width: pixels of each row, from the left, that are wanted.
    ///   - target: gets the first row's channels, and each other row's `pitch` bytes behind the one above it. Four bytes
    ///     behind a row may be written.
    /// - Returns: how many rows there were before `error` ended it.
    func takeRows(
        _ count: Int, width: Int, into target: UnsafeMutablePointer<UInt8>, pitch: Int
    ) -> (count: Int, error: RenderError?)
}
