import ThumbwheelCore

/// An image of a HEIF or AVIF file, as its items describe it: coded pictures beside each other on a canvas, and the part
/// of the canvas that is shown.
package struct HEIFImage: Sendable, Equatable {
    /// A coded picture.
    package struct Tile: Sendable, Equatable {
        /// The pieces of the file that its data lies in, in order.
        package let extents: [Range<Int>]
        /// The contents of its decoder configuration (`hvcC` or `av1C`) in the file.
        package let configuration: Range<Int>

        package var byteCount: Int { extents.reduce(0) { $0 + $1.length } }
    }

    /// How the tiles are coded: `.heic` for HEVC, `.avif` for AV1.
    package let coding: ContentType
    /// Pixels of the canvas.
    package let canvas: PixelSize
    /// The distance from tile to tile; the canvas if there is only one. The last tiles may reach over the canvas.
    package let tileSize: PixelSize
    package let columnCount: Int
    /// Row by row from the top.
    package let tiles: [Tile]
    /// How the canvas is cropped, turned and mirrored.
    package let transform: HEIFTransform
    /// The colours of the samples by code points, which count before those in the coded data.
    package let codedColor: CodingIndependentColor?
    /// The place of the ICC profile in the file.
    package let profile: Range<Int>?

    package var rowCount: Int { tiles.count / columnCount }
    /// The size upright, as it is shown.
    package var displaySize: PixelSize { transform.orientation.displaySize(of: transform.shownSize) }
}
