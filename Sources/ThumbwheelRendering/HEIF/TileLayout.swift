import ThumbwheelCore
import ThumbwheelFormats

/// The arrangement of an image's tiles in each plane.
struct TileLayout: Sendable {
    /// The size of each plane in samples, without those parts of tiles that lie outside the image.
    let planeSizes: [PixelSize]
    let columnCount: Int
    let rowCount: Int
    let bitsPerSample: Int
    /// The number of luma samples for each chroma sample, in each direction.
    let subsampling: PixelSize
    private let tile: PixelSize

    /// - Parameter picture: the first tile that was decoded; all other tiles must have the same format.
    /// - Returns: nil if the borders between tiles would cut through chroma samples.
    init?(_ image: HEIFImage, like picture: DecodedPicture) {
        subsampling = picture.subsampling
        tile = image.tileSize
        columnCount = image.columnCount
        rowCount = image.rowCount
        bitsPerSample = picture.bitsPerSample
        guard image.tiles.count == 1 || tile.width % subsampling.width == 0 && tile.height % subsampling.height == 0
        else { return nil }
        let subsampling = subsampling
        planeSizes = picture.planes.indices.map { plane in
            plane == 0 ? image.canvas : Self.size(image.canvas, subsampling)
        }
    }

    /// Makes the layout of an image that consists of one coded picture. That picture counts as the image's only tile.
    init(_ picture: DecodedPicture) {
        subsampling = picture.subsampling
        tile = picture.planes[0].size
        (columnCount, rowCount) = (1, 1)
        bitsPerSample = picture.bitsPerSample
        planeSizes = picture.planes.map(\.size)
    }

    var bytesPerSample: Int { bitsPerSample > 8 ? 2 : 1 }

    /// The size of a tile in samples of a plane.
    func tileSize(ofPlane plane: Int) -> PixelSize { plane == 0 ? tile : Self.size(tile, subsampling) }

    /// The size of the part of a row of tiles that lies inside the image, in samples of a plane.
    func bandSize(ofPlane plane: Int, columns: Range<Int>) -> PixelSize {
        let (tile, size) = (tileSize(ofPlane: plane), planeSizes[plane])
        return PixelSize(
            width: max(0, min(columns.upperBound * tile.width, size.width) - columns.lowerBound * tile.width),
            height: min(tile.height, size.height))
    }

    /// The sample of neutral grey.
    var middle: Int { 1 << (bitsPerSample - 1) }

    /// A row of neutral grey.
    func greyRow(width: Int) -> AlignedPlane<UInt16> {
        let grey = AlignedPlane<UInt16>(pitch: width + 16)
        let value = UInt16(bytesPerSample == 2 ? middle : middle | middle << 8)
        for x in 0..<width { grey.start[x] = value }
        return grey
    }

    private static func size(_ size: PixelSize, _ subsampling: PixelSize) -> PixelSize {
        PixelSize(
            width: (size.width + subsampling.width - 1) / subsampling.width,
            height: (size.height + subsampling.height - 1) / subsampling.height)
    }

    /// Whether a picture has the same format as the first tile, with each plane at least as large as a tile. If not,
    /// the file counts as damaged.
    func admits(_ picture: DecodedPicture) -> Bool {
        picture.planes.count == planeSizes.count && picture.bitsPerSample == bitsPerSample
            && picture.subsampling == subsampling
            && picture.planes.indices.allSatisfy { plane in
                let (size, needed) = (picture.planes[plane].size, tileSize(ofPlane: plane))
                return size.width >= needed.width && size.height >= needed.height
            }
    }
}
