import ThumbwheelCore
import ThumbwheelFormats

/// A decode of one image of a HEIF or AVIF file to planes. Tiles are decoded one by one, and handed over one row of
/// tiles at a time.
///
/// The memory in use is proportional to a row of tiles, plus one picture in the decoder.
final class TiledDecode {
    /// The options of a decode.
    struct Options {
        /// The decoder of the image's coded pictures.
        var name = RenderedImage.Decoder.de265
        /// The side of the largest square of pixels that may be averaged into one pixel, in pixels.
        var reduction = 1
        /// Whether the filters that smooth the edges of blocks after decoding are applied.
        var isFiltered = true
        /// The position of the first pixel that is likely to be needed, on the canvas, which is the image before it is
        /// cropped and turned.
        var start = (x: 0, y: 0)
        /// The rule for a picture with layers: it decides which layer is decoded.
        var layers = LayerChoice()
        /// Whether neutral grey takes the place of damaged tiles, as long as one tile is sound. If not, the decode ends
        /// at the first damaged tile.
        var toleratesDamage = false
    }

    /// The image as it is decoded. If a layer of a smaller size is decoded, the image's canvas is smaller than in the
    /// file.
    let image: HEIFImage
    /// The size of the canvas that the file states.
    let storedSize: PixelSize
    var name: RenderedImage.Decoder { options.name }
    let scales: PlaneScales
    let colors: PlaneColors
    /// The size of the image's canvas after the reduction, in pixels.
    let size: PixelSize
    var assistants: (any RenderAssistants)?

    /// The colour space that the coded data state; nil if it is sRGB, if they state none, or if the file states the
    /// colours itself.
    let calibration: CodedColors?
    let limits: RenderLimits

    private let bytes: any ByteSource
    private let options: Options
    private let guardian: DecodeGuard
    private let reader: TileReader
    // The tile that was decoded when the image was opened, to find out the sample format of all tiles. If it is the
    // first tile that is needed, it is not decoded again.
    private let first: (index: Int, picture: DecodedPicture)
    private let layout: TileLayout
    private let pictureColors: PictureColors
    private let reduction: Int

    /// The least memory that a decoder takes for each pixel, in bytes, for the pixel's samples and the decoder's
    /// tables.
    private static let minimumBytesPerPixel = 3

    /// Opens the image by decoding one tile, the one that contains `options.start`.
    ///
    /// - Returns: nil if this library does not support the colours or the layout of the tiles.
    init?(
        _ bytes: any ByteSource, _ image: HEIFImage, _ options: Options, limits: RenderLimits, guardian: DecodeGuard
    ) throws(RenderError) {
        guard image.canvas.pixelCount <= limits.pixelCount else { throw .limitExceeded(limit: .pixels) }
        // Checks the size of a tile, in addition to the size of the image. For an alpha item, or an image with a single
        // tile, the coded picture may be larger than the image.
        guard image.tileSize.pixelCount <= limits.memoryByteCount / Self.minimumBytesPerPixel else {
            throw .limitExceeded(limit: .memory)
        }
        try guardian.checkForeignCodeIsAllowed()
        reader = TileReader(bytes, image, options, limits: limits)
        let column = min(image.columnCount - 1, max(0, options.start.x / image.tileSize.width))
        let row = min(image.rowCount - 1, max(0, options.start.y / image.tileSize.height))
        let (index, picture): (Int, DecodedPicture)
        do throws(RenderError) {
            (index, picture) = try Self.firstPicture(
                from: row * image.columnCount + column, of: image.tiles.count, by: reader,
                toleratesDamage: options.toleratesDamage, guardian)
        } catch .unsupportedFormat {
            return nil
        }
        storedSize = image.canvas
        let image = image.atSize(ofLayer: picture.planes[0].size)
        // If all layers were to be decoded, the last one must have the image's size. Callers that ask for all layers
        // count the pixels of the shown part on the canvas that the file states.
        guard options.layers.minimumScale.isFinite || image.canvas == storedSize else {
            throw .malformed(reason: "a picture smaller than its item")
        }
        let layerScale = Double(image.canvas.width) / Double(storedSize.width)
        guard let layout = TileLayout(image, like: picture),
            let colors = PictureColors(picture, coded: image.codedColor)
        else { return nil }
        guard layout.admits(picture) else { throw .malformed(reason: "a picture smaller than its item") }
        guard
            image.tiles.count == 1
                || SampleTileBand.byteCount(layout, columns: 0..<layout.columnCount) <= limits.memoryByteCount
        else { throw .limitExceeded(limit: .memory) }
        calibration = image.codedColor == nil && image.profile == nil ? picture.statedColors : nil
        self.bytes = bytes
        self.image = image
        self.options = options
        self.limits = limits
        self.guardian = guardian
        self.layout = layout
        self.colors = colors.colors
        first = (index, picture)
        pictureColors = colors
        // If chroma is subsampled, the reduction is 1 or an even number. With an even number, each block of luma
        // samples covers whole chroma samples.
        let isSubsampled = layout.subsampling.pixelCount > 1
        let wanted = Int(Double(options.reduction) * layerScale)
        let limit = max(1, min(wanted, SampleReducer.limit, image.canvas.width, image.canvas.height))
        reduction = isSubsampled && limit > 1 ? limit & ~1 : limit
        let reduction = reduction
        size = PixelSize(
            width: (image.canvas.width + reduction - 1) / reduction,
            height: (image.canvas.height + reduction - 1) / reduction)
        scales = PlaneScales(
            eighths: 8, pixelRatio: 1 / Double(reduction),
            planes: layout.planeSizes.indices.map { plane in
                let block = Self.block(ofPlane: plane, reduction, layout.subsampling)
                let subsampling = plane == 0 ? PixelSize(width: 1, height: 1) : layout.subsampling
                let size = layout.planeSizes[plane]
                return PlaneScales.Plane(
                    scale: 8,
                    size: PixelSize(
                        width: (size.width + block.width - 1) / block.width,
                        height: (size.height + block.height - 1) / block.height),
                    horizontalRatio: 1 / Double(block.width * subsampling.width),
                    verticalRatio: 1 / Double(block.height * subsampling.height),
                    unitHeight: reduction > 1 || plane > 0 ? 1 : layout.subsampling.height)
            })
    }

    /// The largest number of tiles that are decoded to find a sound one.
    private static let firstPictureLimit = 64

    /// Decodes the tile at an index. If damage is tolerated, decodes the tiles after it up to the first sound one, and
    /// then those before it.
    ///
    /// - Throws: the error of the tile at the index, if no tile is sound.
    private static func firstPicture(
        from start: Int, of count: Int, by reader: TileReader, toleratesDamage: Bool, _ guardian: DecodeGuard
    ) throws(RenderError) -> (Int, DecodedPicture) {
        var damage: RenderError?
        for step in 0..<min(count, toleratesDamage ? firstPictureLimit : 1) {
            try guardian.check()
            let index = (start + step) % count
            do throws(RenderError) {
                return (index, try reader.picture(index))
            } catch {
                guard error.isDamage else { throw error }
                damage = damage ?? error
            }
        }
        throw damage ?? .malformed(reason: "an image without tiles")
    }

    /// Returns the size of the blocks in a plane, in samples. The mean of each block becomes one sample. A block has
    /// fewer samples in a subsampled plane, unless `reduction` is 1: then each sample is a block.
    private static func block(ofPlane plane: Int, _ reduction: Int, _ subsampling: PixelSize) -> PixelSize {
        guard plane > 0, reduction > 1 else { return PixelSize(width: reduction, height: reduction) }
        return PixelSize(width: reduction / subsampling.width, height: reduction / subsampling.height)
    }

    /// Decodes the rows that the consumer needs, each plane at its own scale. This function may be called only once.
    func forEachRow(to consumer: any PlaneRowConsumer) -> DecodeEnd {
        let feed = TileFeed(layout, blocks: blocks, pictureColors, to: consumer)
        do throws(RenderError) {
            if image.tiles.count == 1 {
                try feed.feedPicture(checking: guardian) { row, plane in first.picture.planes[plane].row(row) }
                return DecodeEnd(decodedFraction: 1)
            }
            return try feedTiles(feed)
        } catch {
            let fraction = feed.fedFraction
            if error.isDamage, fraction > 0 { feed.feedGrey() }
            return DecodeEnd(error, after: fraction)
        }
    }

    private var blocks: [PixelSize] {
        layout.planeSizes.indices.map { Self.block(ofPlane: $0, reduction, layout.subsampling) }
    }

    private func makeBand(_ feed: TileFeed, _ needs: TileRun.Needs) -> any TileBand {
        let ranges = layout.planeSizes.indices.map {
            pictureColors.range(ofPlane: $0, bitsPerSample: layout.bitsPerSample)
        }
        return ReducedTileBand(layout, blocks: blocks, ranges: ranges, needed: feed.neededColumns)
            ?? SampleTileBand(layout, columns: needs.columns)
    }

    private func feedTiles(_ feed: TileFeed) throws(RenderError) -> DecodeEnd {
        let needs = feed.needs
        let tileCount = needs.rows.count * needs.columns.count
        let hasRoomForTwo = SampleTileBand.byteCount(layout, columns: needs.columns) <= limits.memoryByteCount / 2
        let isShared = assistants != nil && tileCount > 2 && hasRoomForTwo
        let run = try TileRun(
            needs, columnCount: layout.columnCount, bands: (0..<(isShared ? 2 : 1)).map { _ in makeBand(feed, needs) },
            toleratesDamage: options.toleratesDamage, first: first)
        if isShared, let assistants {
            let (bytes, image, options, limits, guardian) = (bytes, image, options, limits, guardian)
            _ = assistants.start { isWantedElsewhere in
                run.assist(
                    TileReader(bytes, image, options, limits: limits),
                    checking: guardian,
                    isWantedElsewhere: isWantedElsewhere)
            }
        }
        defer { run.stop() }
        for row in needs.rows {
            var band = try run.band()
            while band == nil {
                try guardian.check()
                if let task = run.take() {
                    try run.decode(task, by: reader)
                } else {
                    run.waitForProgress()
                }
                band = try run.band()
            }
            // Rows without a sound tile are held back until there is one, because an image of grey alone is no image.
            if run.hasSoundTile {
                feed.feedGrey(above: row)
                band!.pass(to: feed, row: row)
            }
            run.leaveRow()
        }
        return run.end
    }
}

extension DecodedPicture {
    /// The colour space that the coded data state; nil if they state none, or if it is sRGB.
    fileprivate var statedColors: CodedColors? {
        let color = CodingIndependentColor(
            primaries: primaries, transfer: transfer, matrix: matrix, isFullRange: isFullRange)
        return CodedColors(color, isVideoRangePossible: false).flatMap { $0.isSRGB ? nil : $0 }
    }
}

extension DecodedPicture.Plane {
    /// The samples of a row; for rows after the last, the samples of the last row.
    fileprivate func row(_ index: Int) -> UnsafeRawPointer { samples + min(index, size.height - 1) * bytesPerRow }
}
