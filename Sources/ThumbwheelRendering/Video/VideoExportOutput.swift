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

/// The reason why an export did not finish.
package enum VideoExportFailure: Error, Equatable, Sendable {
    /// The video cannot be read or decoded, or the export was cancelled.
    case reading(RenderError)
    /// The container or this build of libavcodec lacks what the export needs. `reason` is a text for people to read.
    case unsupported(reason: String)
    /// The file cannot be written. `code` is the system's error number.
    case writing(code: Int32)
}
