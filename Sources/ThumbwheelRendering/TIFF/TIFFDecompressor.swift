/// The samples of a strip or tile, decompressed on demand.
protocol TIFFDecompressor: AnyObject {
    /// Fills a buffer with the next bytes of samples.
    ///
    /// - Returns: the number of bytes made before `error` stopped it. If it is less than the buffer holds and there is
    ///   no error, no bytes are left.
    func fill(_ room: UnsafeMutableRawBufferPointer) -> (count: Int, error: RenderError?)
}
