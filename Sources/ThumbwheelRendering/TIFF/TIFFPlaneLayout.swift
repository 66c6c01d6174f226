import ThumbwheelCore
import ThumbwheelFormats

/// Describes how the planes of a TIFF's picture are divided into strips or tiles, all of which are JPEG streams with
/// the same sampling factors. Sizes and places are those of the planes at the scale of the decode.
struct TIFFPlaneLayout {
    let scales: PlaneScales
    /// For each plane, the size of its part of a strip or tile.
    let blocks: [PixelSize]
    let columnCount: Int
    let rowCount: Int
    private let factors: [PixelSize]
    private let isRGB: Bool

    /// - Parameter decode: the decode of one of the strips or tiles.
    /// - Returns: nil if a sample of a plane would lie in two strips or tiles.
    init?(_ opening: TIFFOpening, like decode: JPEGDecode) {
        let (picture, frame) = (opening.opener.picture, decode.header.frame)
        (columnCount, rowCount) = (picture.columnCount, picture.rowCount)
        factors = Self.factors(frame)
        isRGB = decode.header.isRGB
        var (planes, blocks): ([PlaneScales.Plane], [PixelSize]) = ([], [])
        for (component, plane) in zip(frame.components, decode.scales.planes) {
            // The number of the plane's samples for a number of the picture's pixels, in one direction.
            func samples(_ pixels: Int, factor: Int, maximum: Int) -> Int {
                ((pixels * factor + maximum - 1) / maximum * plane.scale + 7) / 8
            }
            func isWhole(_ pixels: Int, factor: Int, maximum: Int) -> Bool {
                pixels * factor * plane.scale % (8 * maximum) == 0
            }
            let (across, down) = (
                (component.horizontal, frame.maximumHorizontal), (component.vertical, frame.maximumVertical)
            )
            let block = picture.blockSize
            guard columnCount == 1 || isWhole(block.width, factor: across.0, maximum: across.1),
                rowCount == 1 || isWhole(block.height, factor: down.0, maximum: down.1)
            else { return nil }
            blocks.append(
                PixelSize(
                    width: samples(block.width, factor: across.0, maximum: across.1),
                    height: samples(block.height, factor: down.0, maximum: down.1)))
            planes.append(
                PlaneScales.Plane(
                    scale: plane.scale,
                    size: PixelSize(
                        width: samples(picture.size.width, factor: across.0, maximum: across.1),
                        height: samples(picture.size.height, factor: down.0, maximum: down.1)),
                    horizontalRatio: plane.horizontalRatio, verticalRatio: plane.verticalRatio,
                    unitHeight: plane.unitHeight))
        }
        self.blocks = blocks
        scales = PlaneScales(
            eighths: decode.scales.eighths, pixelRatio: decode.scales.pixelRatio, planes: planes)
    }

    private static func factors(_ frame: JPEGFrame) -> [PixelSize] {
        frame.components.map { PixelSize(width: $0.horizontal, height: $0.vertical) }
    }

    /// Whether a strip or tile has the same planes as the one from which this layout was made.
    func admits(_ decode: JPEGDecode) -> Bool {
        Self.factors(decode.header.frame) == factors && decode.header.isRGB == isRGB
    }

    /// Whether the rows of several tiles have to be joined before they can be handed over. The rows of a strip are
    /// handed over as they are.
    var hasBand: Bool { columnCount > 1 }

    /// The number of bytes of memory in which the rows of tiles that lie side by side are joined.
    var bandByteCount: Int {
        hasBand ? blocks.reduce(0) { $0 + $1.pixelCount * columnCount * MemoryLayout<PlaneSample>.stride } : 0
    }
}
