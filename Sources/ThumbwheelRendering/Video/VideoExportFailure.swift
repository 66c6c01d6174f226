/// The reason why an export did not finish.
package enum VideoExportFailure: Error, Equatable, Sendable {
    /// The video cannot be read or decoded, or the export was cancelled.
    case reading(RenderError)
    /// The container or this build of libavcodec lacks what the export needs. `reason` is a text for people to read.
    case unsupported(reason: String)
    /// The file cannot be written. `code` is the system's error number.
    case writing(code: Int32)
}
