/// The file that an export writes. An exporter uses it in three ways:
/// - It writes most bytes in order, from the beginning of the file to the end.
/// - It may write over bytes that it has written earlier.
/// - It may read bytes that it has written earlier.
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
