/// A picture as a camera would have taken it: a scene, a size, a quality and the metadata that goes with them.
struct Shot: Sendable {
    var scene: Scene
    var width: Int
    var height: Int
    var encoder: JPEGEncoder
    var exif = ExifBlock()
    var hasPreview = true
    /// The width of a second, larger preview behind the file's end (Multi-Picture Format).
    var largePreviewWidth: Int?

    /// The file's bytes. With an orientation in `exif` the scene is stored as a camera held that way would have it;
    /// `width` and `height` are those of the picture when displayed.
    func bytes() throws(FixtureError) -> [UInt8] {
        let upright = Raster(scene, width: width, height: height)
        let stored = upright.stored(forOrientation: exif.orientation ?? 1)
        var block = exif
        block.pixelWidth = stored.width
        block.pixelHeight = stored.height
        if hasPreview { block.preview = try Self.preview(of: stored) }
        let jpeg = try encoder.encode(stored)
        guard let largePreviewWidth else {
            return JPEGSegments.inserting([.exif(block)], into: jpeg, dropsJFIF: true)
        }
        let preview = stored.reduced(
            toWidth: largePreviewWidth, height: stored.height * largePreviewWidth / stored.width)
        return MultiPictureFile.assembled(
            jpeg: jpeg, segments: [.exif(block)], preview: try JPEGEncoder(quality: 82).encode(preview))
    }

    /// EXIF's preview: 160 x 120 for pictures of 4:3, the same with black bars for 3:2, as most cameras do.
    static func preview(of raster: Raster) throws(FixtureError) -> [UInt8] {
        let isPortrait = raster.height > raster.width
        let long = 160
        let short = long * min(raster.width, raster.height) / max(raster.width, raster.height)
        let (width, height) = isPortrait ? (short, long) : (long, short)
        let (frameWidth, frameHeight) = isPortrait ? (120, long) : (long, 120)
        // 4:2:2 is what EXIF asks of previews.
        return try JPEGEncoder(quality: 80, subsampling: .yuv422)
            .encode(
                raster.reduced(toWidth: width, height: height).letterboxed(toWidth: frameWidth, height: frameHeight))
    }
}
