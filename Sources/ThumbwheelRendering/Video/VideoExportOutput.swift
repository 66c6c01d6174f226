/// The file that an export writes. It is written from the beginning to the end, except that some earlier places are
/// written again, and that it may be read while it is written.
package protocol VideoExportOutput: AnyObject {
    /// Writes bytes at an offset. Bytes between the end of the file and the offset become zero.
    ///
    /// - Throws: The error of the file, which the exporter passes on unchanged.
    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(VideoExportFailure)

    /// Reads bytes that have been written.
    ///
    /// - Returns: the number of bytes that were read; 0 at the end of the file.
    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(VideoExportFailure) -> Int
}
