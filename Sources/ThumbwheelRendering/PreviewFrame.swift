import ThumbwheelCore

/// Where in a decoded preview its picture lies: everywhere, or between black bars.
///
/// EXIF previews are 160×120 by convention (Design rule for Camera File system): those of photographs with another aspect
/// are often filled up with black, by whole rows or columns of the preview at its own scale. The picture's place follows
/// from the photograph's aspect, in fractions of a pixel; rows and columns are only asked whether they are black.
struct PreviewFrame {
    /// How far a preview's aspect may be from the photograph's.
    private static let tolerance = 0.02
    /// Rows or columns, at the preview's own scale, by which a camera's bars may be wider than the aspects ask for.
    private static let excess = 2.0

    /// A side of the frame, from one edge to the other, in pixels of the decode.
    struct Axis {
        /// Where the picture begins and ends.
        let picture: Range<Double>
        /// Whole pixels that have something of the picture in them.
        let pixels: Range<Int>
        /// Pixels at each end that are nothing but bar.
        let barCount: Int
        /// Pixels of the picture at each end that may have something of a bar in them.
        let mixedCount: Int
        /// Pixels of the picture at each end that may be bar, where the camera's is wider.
        let doubtfulCount: Int

        /// - Parameters:
        ///   - full: the preview's own side, and `decoded` that of the decode.
        ///   - bar: of pixels at the preview's own scale, at each end.
        ///   - scale: pixels of the decode for one of the preview.
        init(full: Int, decoded: Int, bar: Double, scale: Double) {
            picture = bar * scale..<(Double(full) - bar) * scale
            guard bar > 0 else {
                pixels = 0..<decoded
                (barCount, mixedCount, doubtfulCount) = (0, 0, 0)
                return
            }
            let first = min(Int(bar * scale), (decoded - 1) / 2)
            let inner = first..<decoded - first
            pixels = inner
            // In a reduced decode the picture's edge is felt in the pixel beside it.
            let whole = bar.rounded(.down) * scale
            barCount = min(first, scale < 1 ? max(min(1, Int(whole)), Int(whole - 0.5)) : Int(whole))
            func count(upTo end: Double) -> Int {
                max(0, min(Int((end * scale).rounded(.up)) - first, (inner.count - 1) / 2))
            }
            // A pixel of a reduced decode is of several rows, some of which may belong to the bar.
            mixedCount = scale < 1 ? count(upTo: bar.rounded(.up)) : 0
            doubtfulCount = count(upTo: bar + PreviewFrame.excess)
        }
    }

    let horizontal: Axis
    let vertical: Axis

    /// - Parameters:
    ///   - fullSize: the preview's own, of which `decodedSize` is the decode's.
    ///   - scale: pixels of the decode for one of the preview, each way.
    ///   - aspect: the photograph's, width over height.
    init(fullSize: PixelSize, decodedSize: PixelSize, scale: (horizontal: Double, vertical: Double), aspect: Double) {
        let bars = Self.bars(of: fullSize, aspect: aspect)
        horizontal = Axis(
            full: fullSize.width, decoded: decodedSize.width, bar: bars.horizontal, scale: scale.horizontal)
        vertical = Axis(full: fullSize.height, decoded: decodedSize.height, bar: bars.vertical, scale: scale.vertical)
    }

    /// The bars that a preview of a size must have to show a photograph of an aspect: at both sides, or above and below.
    static func bars(of size: PixelSize, aspect: Double) -> (horizontal: Double, vertical: Double) {
        let own = Double(size.width) / Double(size.height)
        if abs(own / aspect - 1) <= tolerance { return (0, 0) }
        return own < aspect
            ? (0, (Double(size.height) - Double(size.width) / aspect) / 2)
            : ((Double(size.width) - Double(size.height) * aspect) / 2, 0)
    }

    /// The smallest scale, in eighths, at which something of the bars can be seen to be black.
    static func leastEighths(of size: PixelSize, aspect: Double) -> Int {
        let bars = bars(of: size, aspect: aspect)
        let whole = Int(max(bars.horizontal, bars.vertical))
        return whole > 0 ? min(8, (8 + whole - 1) / whole) : 1
    }

    var hasBars: Bool { vertical.picture.lowerBound > 0 || horizontal.picture.lowerBound > 0 }

    /// Where the picture is in the decode.
    var picture: SourceBox {
        SourceBox(
            x: horizontal.picture.lowerBound, y: vertical.picture.lowerBound,
            width: horizontal.picture.upperBound - horizontal.picture.lowerBound,
            height: vertical.picture.upperBound - vertical.picture.lowerBound)
    }

    /// The decode's pixels that have something of the picture in them.
    var pixelSize: PixelSize { PixelSize(width: horizontal.pixels.count, height: vertical.pixels.count) }

    /// Where the picture is among those.
    var pictureInPixels: SourceBox {
        var box = picture
        box.x -= Double(horizontal.pixels.lowerBound)
        box.y -= Double(vertical.pixels.lowerBound)
        return box
    }
}
