/// The samples of a strip or tile, decompressed as they are asked for.
protocol TIFFDecompressor: AnyObject {
    /// Fills a room with the next bytes.
    ///
    /// - Returns: how many there were before `error` ended it; fewer than the room has only if there is an error, or if
    ///   there are no more.
    func fill(_ room: UnsafeMutableRawBufferPointer) -> (count: Int, error: RenderError?)
}
