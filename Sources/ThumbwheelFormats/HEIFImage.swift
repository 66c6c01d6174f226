import ThumbwheelCore

/// An image of a HEIF or AVIF file, as its items describe it: coded pictures beside each other on a canvas, and the
/// part of the canvas that is shown.
package struct HEIFImage: Sendable, Equatable {
    /// A coded picture, which covers a part of the canvas or all of it.
    package struct Tile: Sendable, Equatable {
        /// The number of the tile's item. Several tiles of a grid may be the same item.
        package let item: Int
        /// The ranges of the file with the tile's data, in order.
        package let extents: [Range<Int>]
        /// The place, in the file, of the contents of the tile's decoder configuration (`hvcC` or `av1C`).
        package let configuration: Range<Int>
        /// The byte counts of all layers except the last, from the lowest layer; empty if the picture has one layer.
        /// Each layer shows the whole picture, better or larger than the layer before it.
        package var lowerLayers: [Int] = []

        package var byteCount: Int { extents.reduce(0) { $0 + $1.length } }
    }

    /// How the tiles are coded: `.heic` for HEVC, `.avif` for AV1.
    package let coding: ContentType
    /// The size of the canvas in pixels.
    package private(set) var canvas: PixelSize
    /// The size of a tile, which is also the distance from tile to tile; the size of the canvas if there is only one
    /// tile. The last tiles may extend beyond the canvas.
    package private(set) var tileSize: PixelSize
    package let columnCount: Int
    /// The tiles, row by row from the top.
    package let tiles: [Tile]
    /// The cropping, turning and mirroring of the canvas.
    package let transform: HEIFTransform
    /// The colours of the samples as code points, which take precedence over those in the coded data.
    package let codedColor: CodingIndependentColor?
    /// The place of the ICC profile in the file.
    package let profile: Range<Int>?

    /// The image at the size of one of its layers, which may be smaller than the image; the image itself if it has no
    /// layers.
    package func atSize(ofLayer size: PixelSize) -> HEIFImage {
        guard tiles.count == 1, !tiles[0].lowerLayers.isEmpty, size.width <= canvas.width, size.height <= canvas.height,
            !size.isEmpty
        else { return self }
        var image = self
        (image.canvas, image.tileSize) = (size, size)
        return image
    }

    package var rowCount: Int { tiles.count / columnCount }
    /// The size of the upright image, as it is shown.
    package var displaySize: PixelSize { transform.orientation.displaySize(of: transform.shownSize) }
}
