/// The samples of a strip or tile, decompressed on demand.
protocol TIFFDecompressor: AnyObject {
    /// Fills a buffer with the next bytes of samples.
    ///
    /// - Returns: the number of bytes made before `error` stopped it. Without an error, fewer than fit means that there are
    ///   no more.
    func fill(_ room: UnsafeMutableRawBufferPointer) -> (count: Int, error: RenderError?)
}
