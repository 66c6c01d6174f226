import ThumbwheelCore
import ThumbwheelFormats

/// A thumbnail item of a HEIF or AVIF file, decoded whole and turned upright.
///
/// The whole thumbnail is held in memory, because thumbnails have only a few tens of thousands of pixels. This type
/// turns it upright, because the orientation in `ImageHead`, by which previews are turned, is always `up` for a HEIF
/// file.
final class HEIFThumbnail: RowDecoder {
    private let bitmap: Bitmap
    private let guardian: DecodeGuard
    let name: RenderedImage.Decoder
    let channels = 3
    let eighths = 8
    let reachedEnd = false
    let profile: [UInt8]?
    let calibration: CodedColors?
    let sideRounding = FloatingPointRoundingRule.up
    var size: PixelSize { bitmap.size }
    var storedSize: PixelSize { bitmap.size }
    var orientation: ImageOrientation? { .up }

    /// Decodes the thumbnail.
    ///
    /// - Parameters:
    ///   - bytes: the whole file, or at least the bytes that describe and hold the thumbnail.
    ///   - place: the range of the thumbnail's data in the file.
    /// - Returns: nil if the file has no thumbnail item at `place` that this library can decode.
    /// - Throws: `.noPreview` if the thumbnail shows another part of the picture than the file shows, or shows it
    ///   turned or mirrored otherwise.
    init?(
        _ bytes: any ByteSource, at place: Range<Int>, keepsProfile: Bool, limits: RenderLimits,
        guardian: DecodeGuard
    ) throws(RenderError) {
        guard let images = try HEIFImages(in: bytes),
            let image = images.thumbnails.first(where: { $0.tiles.count == 1 && $0.tiles[0].extents == [place] }),
            image.transform.shownSize.pixelCount <= limits.pixelCount
        else { return nil }
        guard Self.agrees(image, with: images.picture) else { throw .noPreview }
        guard
            let decode = try TiledDecode(
                bytes, image, TiledDecode.Options(name: HEIFCodec.decoder(of: image.coding)), limits: limits,
                guardian: guardian)
        else { return nil }
        name = decode.name
        self.guardian = guardian
        calibration = decode.calibration
        profile = keepsProfile ? try image.profile(in: bytes) : nil
        let pixels = HEIFPixels(decode, alpha: nil, isPremultiplied: false, profile: nil)
        let (stored, channels, orientation) = (pixels.size, pixels.channels, image.transform.orientation)
        var failure: RenderError?
        bitmap = Bitmap(size: orientation.displaySize(of: stored), format: .rgb) { target in
            let store = OrientedStore(target, storedSize: stored, format: .rgb, orientation: orientation)
            var y = 0
            var line = [UInt8](repeating: 0, count: stored.width * 3)
            failure =
                pixels.forEachRow(in: 0..<stored.height) { row in
                    for x in 0..<line.count { line[x] = row[channels == 3 ? x : x / 3] }
                    line.withUnsafeBytes { store.put(row: $0.baseAddress!, at: y) }
                    y += 1
                }.error
        }
        if let failure { throw failure }
    }

    /// Whether a thumbnail is turned and mirrored as the picture is, and shows the same part of it. A tool that turns
    /// or crops a picture by its properties alone may leave the thumbnail as it was.
    ///
    /// The thumbnail may have any size, so its edges may differ from those of the picture by a pixel and a half. A crop
    /// that leaves less than a quarter is refused as well, because the memory is predicted from the part that is shown.
    private static func agrees(_ thumbnail: HEIFImage, with picture: HEIFImage) -> Bool {
        let (own, whole) = (thumbnail.transform, picture.transform)
        guard own.orientation == whole.orientation,
            thumbnail.canvas.pixelCount / 4 <= own.shownSize.pixelCount
        else { return false }
        guard whole.shownSize != picture.canvas else { return true }
        func agree(_ place: Int, _ wholePlace: Int, _ side: KeyPath<PixelSize, Int>) -> Bool {
            let scale = Double(thumbnail.canvas[keyPath: side]) / Double(picture.canvas[keyPath: side])
            return abs(Double(place) - Double(wholePlace) * scale) <= 1.5
        }
        return agree(own.x, whole.x, \.width) && agree(own.y, whole.y, \.height)
            && agree(own.x + own.shownSize.width, whole.x + whole.shownSize.width, \.width)
            && agree(own.y + own.shownSize.height, whole.y + whole.shownSize.height, \.height)
    }

    func forEachRow(
        in rows: Range<Int>, _ body: (UnsafePointer<UInt8>) -> Void
    ) -> (count: Int, error: RenderError?) {
        if let interruption = guardian.interruption { return (0, interruption) }
        bitmap.withUnsafeBytes { pixels in
            let start = pixels.bindMemory(to: UInt8.self).baseAddress!
            for row in rows { body(start + row * bitmap.bytesPerRow) }
        }
        return (rows.count, nil)
    }
}
