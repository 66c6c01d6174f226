import ThumbwheelCore
import ThumbwheelFormats

/// Opens the main picture of a HEIF or AVIF file.
struct HEIFOpener {
    private let input: DecoderInput

    init(_ input: DecoderInput) {
        self.input = input
    }

    /// The ranges of the file that a decode reads: the tiles shown in the requested images, all tiles of the alpha,
    /// their decoder configurations, and the colour profile. Nil if the items are combined in a way that this library
    /// does not support.
    func neededRanges() throws(RenderError) -> [Range<Int>]? {
        guard let images = try HEIFImages(in: input.bytes) else { return nil }
        let image = images.picture
        let (display, margin) = (image.displaySize, input.margin)
        let box = input.region.stored(
            under: image.transform.orientation, displayWidth: Double(display.width),
            displayHeight: Double(display.height))
        let columns = Self.tiles(
            box.x + Double(image.transform.x), box.width, margin, side: image.tileSize.width, below: image.columnCount)
        let rows = Self.tiles(
            box.y + Double(image.transform.y), box.height, margin, side: image.tileSize.height, below: image.rowCount)
        var tiles: [HEIFImage.Tile] = []
        for row in rows { tiles += columns.map { image.tiles[row * image.columnCount + $0] } }
        tiles += images.alpha?.tiles ?? []
        // Thousands of tiles may be the same item.
        var known: Set<Int> = []
        return tiles.filter { known.insert($0.item).inserted }.flatMap { $0.extents + [$0.configuration] }
            + [image.profile].compactMap(\.self)
    }

    /// Returns the indices of the columns of tiles that cover an interval of the canvas, extended by `margin` on both
    /// sides. With vertical lengths, returns the indices of rows of tiles. All lengths are in pixels.
    ///
    /// - Parameters:
    ///   - side: the width of a tile; for rows, its height.
    ///   - count: the number of columns of tiles; for rows, the number of rows of tiles.
    private static func tiles(
        _ start: Double, _ length: Double, _ margin: Double, side: Int, below count: Int
    ) -> Range<Int> {
        func tile(_ place: Double) -> Int { Int(max(0, min(place, 1e9))) / max(1, side) }
        let first = min(tile(start - margin), count - 1)
        return first..<max(first, min(tile(start + length + margin), count - 1)) + 1
    }

    /// Opens the picture of the file for decoding.
    ///
    /// - Returns: nil if the file's items are combined in a way that this library does not support.
    func open() throws(RenderError) -> (any RowDecoder)? {
        guard let images = try HEIFImages(in: input.bytes) else { return nil }
        let image = images.picture
        let isWholeAndOpaque = image.transform.shownSize == image.canvas && !images.hasAlpha
        var options = TiledDecode.Options(name: input.decoder)
        options.isFiltered = !input.hidesBlockEdges
        options.reduction = isWholeAndOpaque ? input.reduction : 1
        options.toleratesDamage = input.quality == .fast
        if isWholeAndOpaque, image.tiles.count == 1, !input.deliversDecode {
            options.layers = LayerChoice(minimumScale: input.levelScale, allowsCoarseLayers: input.quality == .fast)
        }
        let display = image.displaySize
        let box = input.region.stored(
            under: image.transform.orientation, displayWidth: Double(display.width),
            displayHeight: Double(display.height))
        options.start = (
            image.transform.x + Int(max(0, min(box.x, 1e9))), image.transform.y + Int(max(0, min(box.y, 1e9)))
        )
        // The alpha comes first, so that its decoder is gone before that of the colours takes memory.
        var alpha: HEIFAlpha?
        var alphaDamage: RenderError?
        if images.hasAlpha {
            guard let item = images.alpha else { return nil }
            do throws(RenderError) {
                alpha = try HEIFAlpha(
                    input.bytes, item, of: image, TiledDecode.Options(name: input.decoder),
                    keepsAllBits: input.keepsAllBits, limits: input.limits, guardian: input.guardian)
            } catch {
                guard error.isDamage, input.quality == .fast else { throw error }
                alpha = HEIFAlpha(opaqueWithBytesPerSample: input.keepsAllBits ? 2 : 1)
                alphaDamage = error
            }
            guard alpha != nil else { return nil }
        }
        guard
            let decode = try TiledDecode(
                input.bytes, image, options, limits: input.limits, guardian: input.guardian)
        else { return nil }
        let profile = input.conversion == .output ? try image.profile(in: input.bytes) : nil
        if isWholeAndOpaque { return HEIFRows(decode, profile: profile) }
        return HEIFPixels(
            decode, alpha: alpha, alphaDamage: alphaDamage, isPremultiplied: input.head.hasPremultipliedAlpha,
            profile: profile, keepsAllBits: input.keepsAllBits)
    }
}
