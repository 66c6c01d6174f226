import Thumbwheel

extension InspectDocument.File.TIFF {
    /// - Returns: nil if the file cannot be read, or if its layout is none that the decoder reads.
    init?(of asset: Asset, targetSize: PixelSize) {
        let options = RenderOptions(targetSize: targetSize)
        guard let photograph = asset.resources.first(where: { $0.type == .photo }),
            let pictures = try? TIFFPictures(reading: photograph.open()),
            let choice = try? TIFFLevelChoice(
                of: pictures, displaySize: asset.head.displaySize, options: options)
        else { return nil }
        level = choice.level.size.description
        levels = 1 + pictures.levels.count
        block = choice.level.blockSize.description
        blocks = choice.level.columnCount * choice.level.rowCount
        tiled = choice.level.isTiled
        scale = choice.eighths
    }
}
