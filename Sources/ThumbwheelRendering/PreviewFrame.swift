import ThumbwheelCore

/// The place of the picture in a decoded preview: the whole of it, or the area between black bars.
///
/// EXIF previews are 160×120 by convention (Design rule for Camera File system). Previews of photographs with another
/// aspect are often filled up with black, by whole rows or columns at the preview's own scale. The picture's place
/// follows from the photograph's aspect, in fractions of a pixel; the rows and columns themselves only show whether the
/// bars are black.
struct PreviewFrame {
    /// The largest relative difference between the aspects of a preview and its photograph that counts as none.
    private static let tolerance = 0.02
    /// The number of rows or columns, at the preview's own scale, by which a camera's bars may exceed those that the
    /// aspects ask for.
    private static let excess = 2.0

    /// One side of the frame, from edge to edge, in pixels of the decode.
    struct Axis {
        /// The extent of the picture.
        let picture: Range<Double>
        /// The whole pixels that show something of the picture.
        let pixels: Range<Int>
        /// The number of pixels at each end that are bar and nothing else.
        let barCount: Int
        /// The number of the picture's pixels at each end that a bar may be mixed into.
        let mixedCount: Int
        /// The number of the picture's pixels at each end that are bar if the camera's bar is wider.
        let doubtfulCount: Int

        /// - Parameters:
        ///   - full: the length of the side in the preview itself.
        ///   - decoded: the length of the side in the decode.
        ///   - bar: the length of the bar at each end, in pixels at the preview's own scale.
        ///   - scale: the number of the decode's pixels for one of the preview's.
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
            // In a reduced decode, the picture's edge affects the pixel beside it.
            let whole = bar.rounded(.down) * scale
            barCount = min(first, scale < 1 ? max(min(1, Int(whole)), Int(whole - 0.5)) : Int(whole))
            func count(upTo end: Double) -> Int {
                max(0, min(Int((end * scale).rounded(.up)) - first, (inner.count - 1) / 2))
            }
            // A pixel of a reduced decode covers several rows, and some of those rows may belong to the bar.
            mixedCount = scale < 1 ? count(upTo: bar.rounded(.up)) : 0
            doubtfulCount = count(upTo: bar + PreviewFrame.excess)
        }
    }

    let horizontal: Axis
    let vertical: Axis

    /// - Parameters:
    ///   - fullSize: the size of the preview itself.
    ///   - decodedSize: the size of the decode.
    ///   - scale: the number of the decode's pixels for one of the preview's, in each direction.
    ///   - aspect: the photograph's aspect, width over height.
    init(fullSize: PixelSize, decodedSize: PixelSize, scale: (horizontal: Double, vertical: Double), aspect: Double) {
        let bars = Self.bars(of: fullSize, aspect: aspect)
        horizontal = Axis(
            full: fullSize.width, decoded: decodedSize.width, bar: bars.horizontal, scale: scale.horizontal)
        vertical = Axis(full: fullSize.height, decoded: decodedSize.height, bar: bars.vertical, scale: scale.vertical)
    }

    /// The bars that a preview needs to show a photograph of another aspect: at both sides, or above and below.
    static func bars(of size: PixelSize, aspect: Double) -> (horizontal: Double, vertical: Double) {
        let own = Double(size.width) / Double(size.height)
        if abs(own / aspect - 1) <= tolerance { return (0, 0) }
        return own < aspect
            ? (0, (Double(size.height) - Double(size.width) / aspect) / 2)
            : ((Double(size.width) - Double(size.height) * aspect) / 2, 0)
    }

    /// The smallest scale, in eighths, at which the decode can show whether the bars are black.
    static func leastEighths(of size: PixelSize, aspect: Double) -> Int {
        let bars = bars(of: size, aspect: aspect)
        let whole = Int(max(bars.horizontal, bars.vertical))
        return whole > 0 ? min(8, (8 + whole - 1) / whole) : 1
    }

    var hasBars: Bool { vertical.picture.lowerBound > 0 || horizontal.picture.lowerBound > 0 }

    /// The picture's place in the decode.
    var picture: SourceBox {
        SourceBox(
            x: horizontal.picture.lowerBound, y: vertical.picture.lowerBound,
            width: horizontal.picture.upperBound - horizontal.picture.lowerBound,
            height: vertical.picture.upperBound - vertical.picture.lowerBound)
    }

    /// The size of the part of the decode that shows something of the picture.
    var pixelSize: PixelSize { PixelSize(width: horizontal.pixels.count, height: vertical.pixels.count) }

    /// The picture's place in that part.
    var pictureInPixels: SourceBox {
        var box = picture
        box.x -= Double(horizontal.pixels.lowerBound)
        box.y -= Double(vertical.pixels.lowerBound)
        return box
    }
}
