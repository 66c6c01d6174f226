import CVips
import ThumbwheelCore
import ThumbwheelFormats

/// One decode by libvips, from opening to the last row, on the calling thread.
///
/// Rows are pulled band by band through a region: no thread pool, no copy of the whole image, and a place to stop at
/// between any two bands.
struct VipsDecode: ~Copyable {
    private let stream: VipsStream
    private let guardian: DecodeGuard
    private let image: VipsHandle
    private let type: ContentType
    private let bytes: any ByteSource
    /// The decode's size, which is the file's at `eighths`.
    let size: PixelSize
    /// Samples of a pixel: 1 grey, 2 grey and alpha, 3 RGB, 4 RGB and alpha.
    let channels: Int
    let eighths: Int

    /// - Parameters:
    ///   - bytes: the file, or as much of it as the decoder needs.
    ///   - convertsProfile: whether an embedded profile is applied while rows stream.
    init(
        _ bytes: any ByteSource, type: ContentType, eighths: Int, tolerance: VipsLoader.Tolerance,
        convertsProfile: Bool, guardian: DecodeGuard
    ) throws(RenderError) {
        try VipsRuntime.require()
        guard let loader = VipsLoader(type) else { throw .unsupportedFormat }
        let stream = VipsStream(bytes, guardian: guardian)
        guard let source = stream.makeSource() else { throw .malformed(reason: takeVipsMessage()) }
        defer { g_object_unref(source) }
        guard let opened = loader.open(source, eighths: eighths, tolerance: tolerance) else {
            throw Self.error(after: stream, of: bytes, type: type, decodedFraction: 0)
        }
        guard let image = opened.normalized(convertsProfile: convertsProfile) else {
            throw Self.error(after: stream, of: bytes, type: type, decodedFraction: 0)
        }
        self.stream = stream
        self.guardian = guardian
        self.type = type
        self.bytes = bytes
        self.eighths = eighths
        size = PixelSize(width: image.width, height: image.height)
        channels = image.bands
        self.image = image
    }

    /// Whether the decoder has asked for bytes past the end of the file.
    var reachedEnd: Bool { stream.reachedEnd }

    /// The image that libvips holds, for its profile.
    var handle: UnsafeMutablePointer<VipsImage> { image.image }

    /// Hands `body` the given rows in order, whole rows of `channels` bytes a pixel.
    ///
    /// - Returns: how many rows were handed over before `error` ended it; all of them where `error` is nil.
    func forEachRow(
        in rows: Range<Int>, _ body: (UnsafePointer<UInt8>) -> Void
    ) -> (count: Int, error: RenderError?) {
        let end = image.forEachRow(in: rows, checking: guardian, body)
        switch end {
        case .complete: return (rows.count, nil)
        case .interrupted(let row, let reason): return (row - rows.lowerBound, reason)
        case .failed(let row):
            let fraction = Double(row) / Double(size.height)
            return (
                row - rows.lowerBound, Self.error(after: stream, of: bytes, type: type, decodedFraction: fraction)
            )
        }
    }

    /// What a failure of libvips means, by what the stream saw and by the file itself.
    private static func error(
        after stream: VipsStream, of bytes: any ByteSource, type: ContentType, decodedFraction: Double
    ) -> RenderError {
        let message = takeVipsMessage()
        if let failure = stream.failure { return failure }
        if stream.reachedEnd, isCutShort(bytes, type: type) { return .truncated(decodedFraction: decodedFraction) }
        return .malformed(reason: message)
    }
}
