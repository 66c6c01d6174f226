/// Decompresses the samples of a strip or tile, as many bytes at a time as the caller asks for.
protocol TIFFDecompressor: AnyObject {
    /// Fills a buffer with the next bytes of samples.
    ///
    /// - Returns: the number of bytes that were made, and the error that prevented more bytes. If the buffer is not
    ///   full and there is no error, no bytes are left.
    func fill(_ room: UnsafeMutableRawBufferPointer) -> (count: Int, error: RenderError?)
}
