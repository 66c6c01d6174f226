import CVips
import ThumbwheelCore
import ThumbwheelFormats

/// A decode by libvips on the calling thread, from opening the file to the last row.
///
/// Rows are computed in bands, groups of consecutive rows, through a `VipsRegion`. This needs no thread pool and no
/// copy of the whole image, and the decode can stop between any two bands.
final class VipsDecode: RowDecoder {
    private let stream: VipsStream
    private let guardian: DecodeGuard
    private let image: VipsHandle
    private let loader: VipsLoader
    private let bytes: any ByteSource
    // Corrects each row that libvips has decoded, for example by dividing its colours by alpha. Nil if rows are handed
    // over as libvips makes them.
    private let correction: RowCorrection?
    let size: PixelSize
    let channels: Int
    let storedSize: PixelSize
    let eighths: Int
    var sideRounding: FloatingPointRoundingRule { loader.sideRounding }
    // The exact number of decoded pixels for each stored pixel, in each direction; nil for all loaders but that of
    // JPEG. Other loaders stretch a reduced image a little to fill whole pixels, so their scale is not exact. The
    // loader of JPEG keeps an exact scale: it leaves out pixels that would lie partly outside the image.
    var exactScale: (horizontal: Double, vertical: Double)? {
        sideRounding == .down ? (Double(eighths) / 8, Double(eighths) / 8) : nil
    }
    var orientation: ImageOrientation? { loader.appliesOrientation ? .up : nil }
    var name: RenderedImage.Decoder { .vips }

    /// Opens a file with a loader of libvips.
    ///
    /// - Parameters:
    ///   - bytes: the file, or those of its bytes that the decoder needs.
    ///   - convertsProfile: whether an embedded profile is applied to the rows before they are handed over.
    ///   - layout: the properties of the samples that libvips misjudges or ignores.
    init(
        _ bytes: any ByteSource, loader: VipsLoader, eighths: Int, tolerance: DamageTolerance,
        convertsProfile: Bool, guardian: DecodeGuard, layout: SampleLayout = SampleLayout()
    ) throws(RenderError) {
        try guardian.checkForeignCodeIsAllowed()
        try VipsRuntime.require()
        let scale = try Self.possibleScale(of: bytes, loader: loader, eighths: eighths, guardian: guardian)
        let stream = Self.stream(over: bytes, loader: loader, guardian: guardian)
        let opened = try Self.open(
            stream, of: bytes, loader: loader, eighths: scale.eighths, tolerance: tolerance, layout: layout)
        guard
            let image = opened.normalized(convertsProfile: convertsProfile, shownBands: layout.shownBands)
        else {
            throw Self.error(after: stream, of: bytes, loader: loader, decodedFraction: 0)
        }
        // Stops here if the work was cancelled or ran out of time while libvips opened the file. Some loaders decode
        // the whole picture on opening, and cannot be stopped meanwhile.
        try guardian.check()
        self.stream = stream
        self.guardian = guardian
        self.loader = loader
        self.bytes = bytes
        self.eighths = scale.eighths
        storedSize = scale.storedSize ?? PixelSize(width: image.width, height: image.height)
        size = PixelSize(width: image.width, height: image.height)
        correction = layout.correction?.applying(toChannels: image.bands)
        channels = image.bands
        self.image = image
    }

    /// Returns the requested scale if at least one pixel is left in each direction at that scale. If not, returns the
    /// smallest larger scale of the loader at which that is so, because libvips would end the process otherwise. The
    /// size of the picture is taken from libvips itself, because the size in the file's header may be wrong.
    ///
    /// - Returns: the scale in eighths, and the size of the stored picture. The size is nil if full size was requested.
    private static func possibleScale(
        of bytes: any ByteSource, loader: VipsLoader, eighths: Int, guardian: DecodeGuard
    ) throws(RenderError) -> (eighths: Int, storedSize: PixelSize?) {
        guard eighths < 8 else { return (8, nil) }
        let full = try open(
            stream(over: bytes, loader: loader, guardian: guardian), of: bytes, loader: loader, eighths: 8,
            tolerance: .all)
        let size = PixelSize(width: full.width, height: full.height)
        let possible = loader.eighths.first {
            $0 >= eighths && min(size.width, size.height) * $0 >= 8
        }
        return (possible ?? 8, size)
    }

    private static func stream(
        over bytes: any ByteSource, loader: VipsLoader, guardian: DecodeGuard
    ) -> VipsStream {
        VipsStream(
            bytes, trailer: loader.trailer, failsWhenInterrupted: !loader.appliesOrientation, guardian: guardian)
    }

    private static func open(
        _ stream: VipsStream, of bytes: any ByteSource, loader: VipsLoader, eighths: Int,
        tolerance: DamageTolerance, layout: SampleLayout = SampleLayout()
    ) throws(RenderError) -> VipsHandle {
        guard let source = stream.makeSource() else { throw .unavailable(reason: takeVipsMessage()) }
        defer { g_object_unref(source) }
        guard let opened = loader.open(source, eighths: eighths, tolerance: tolerance) else {
            let error = error(after: stream, of: bytes, loader: loader, decodedFraction: 0)
            if layout.mayBeSubsampled, case .malformed = error { throw .unsupportedFormat }
            throw error
        }
        return opened
    }

    var reachedEnd: Bool { stream.reachedEnd }

    var profile: [UInt8]? { image.profile }

    func forEachRow(
        in rows: Range<Int>, _ body: (UnsafePointer<UInt8>) -> Void
    ) -> (count: Int, error: RenderError?) {
        let end = forEachCorrectedRow(in: rows, body)
        switch end {
        case .complete: return (rows.count, nil)
        case .interrupted(let row, let reason): return (row - rows.lowerBound, reason)
        case .failed(let row):
            let fraction = Double(row) / Double(size.height)
            return (
                row - rows.lowerBound, Self.error(after: stream, of: bytes, loader: loader, decodedFraction: fraction)
            )
        }
    }

    private func forEachCorrectedRow(
        in rows: Range<Int>, _ body: (UnsafePointer<UInt8>) -> Void
    ) -> VipsHandle.RowsEnd {
        guard let correction else { return image.forEachRow(in: rows, checking: guardian, body) }
        var line = [UInt8](repeating: 0, count: size.width * channels)
        return image.forEachRow(in: rows, checking: guardian) { row in
            line.withUnsafeMutableBufferPointer { line in
                correction.write(row, channels: image.bands, into: line)
                body(UnsafePointer(line.baseAddress!))
            }
        }
    }

    /// The error for a failure of libvips, determined from the stream's record of the reads and from the file itself.
    private static func error(
        after stream: VipsStream, of bytes: any ByteSource, loader: VipsLoader, decodedFraction: Double
    ) -> RenderError {
        let message = takeVipsMessage()
        if let failure = stream.failure { return failure }
        if stream.reachedEnd, loader.isCutShort(bytes) { return .truncated(decodedFraction: decodedFraction) }
        return .malformed(reason: message)
    }
}

extension VipsDecode {
    /// - Parameter bytes: the file as the loader reads it, for example without its metadata. It may differ from the
    ///   file in `input`.
    convenience init(
        _ bytes: any ByteSource, _ input: DecoderInput, loader: VipsLoader, layout: SampleLayout = SampleLayout()
    ) throws(RenderError) {
        try self.init(
            bytes, loader: loader, eighths: input.eighths, tolerance: input.tolerance,
            convertsProfile: input.conversion == .stream, guardian: input.guardian, layout: layout)
    }
}
