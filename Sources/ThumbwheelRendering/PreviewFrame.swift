import ThumbwheelCore

/// The area of a decoded preview that shows the picture: the whole preview, or the part between black bars.
///
/// EXIF previews are 160×120 by convention (Design rule for Camera File system). If the photograph has another aspect
/// ratio, cameras often fill the preview up with black bars, which are whole rows or columns of the preview at full
/// size. The picture's area is computed from the photograph's aspect ratio, so its edges may lie inside pixels. The
/// pixels themselves are only used to check that the bars are black.
struct PreviewFrame {
    /// The largest relative difference between the aspect ratios of a preview and of its photograph at which the
    /// preview is assumed to have no bars.
    private static let tolerance = 0.02
    /// The largest accepted difference between the real and the expected width of a black bar, in rows or columns of
    /// the preview at full size. The expected width follows from the aspect ratios of the preview and its photograph.
    /// Some cameras draw slightly wider bars.
    private static let excess = 2.0

    /// The picture and the bars along one axis of the preview, in pixels of the decoded preview.
    struct Axis {
        /// The interval of this axis that the picture covers, in pixels. Its ends may lie inside a pixel.
        let picture: Range<Double>
        /// The pixels that show at least some of the picture.
        let pixels: Range<Int>
        /// The number of pixels at each end that show only the black bar.
        let barCount: Int
        /// The number of pixels at each end of the picture that may show some of the black bar next to the picture.
        let mixedCount: Int
        /// The number of pixels at each end of the picture that may be black. Cameras may draw a bar wider than the
        /// aspect ratios require, by up to `PreviewFrame.excess` rows or columns.
        let doubtfulCount: Int

        /// Computes the picture and the bars along one axis.
        ///
        /// - Parameters:
        ///   - full: the length of the axis in the stored preview, in pixels.
        ///   - decoded: the length of the axis in the decoded preview, in pixels.
        ///   - bar: the length of the bar at each end, in pixels of the stored preview.
        ///   - scale: the length of the decoded preview divided by the length of the stored preview.
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
            // In a reduced decode, the pixel at the border between bar and picture is a mixture of both, so it is not
            // counted as bar. The only exception is a bar with a single whole pixel. That pixel is counted, because
            // otherwise no pixel could show whether there is a black bar at all.
            let whole = bar.rounded(.down) * scale
            barCount = min(first, scale < 1 ? max(min(1, Int(whole)), Int(whole - 0.5)) : Int(whole))
            func count(upTo end: Double) -> Int {
                max(0, min(Int((end * scale).rounded(.up)) - first, (inner.count - 1) / 2))
            }
            // A pixel of a reduced decode covers several rows of the preview, and some of those rows may belong to the
            // bar.
            mixedCount = scale < 1 ? count(upTo: bar.rounded(.up)) : 0
            doubtfulCount = count(upTo: bar + PreviewFrame.excess)
        }
    }

    let horizontal: Axis
    let vertical: Axis

    /// Computes the area of a decoded preview that shows the picture. The preview may have been decoded at a reduced
    /// scale.
    ///
    /// - Parameters:
    ///   - fullSize: the size of the stored preview in pixels, before any reduction.
    ///   - decodedSize: the size of the decoded preview in pixels.
    ///   - scale: the size of the decoded preview divided by the size of the stored preview. `horizontal` is for the
    ///     width, and `vertical` for the height.
    ///   - aspect: the photograph's aspect ratio, which is its width divided by its height.
    init(fullSize: PixelSize, decodedSize: PixelSize, scale: (horizontal: Double, vertical: Double), aspect: Double) {
        let bars = Self.bars(of: fullSize, aspect: aspect)
        horizontal = Axis(
            full: fullSize.width, decoded: decodedSize.width, bar: bars.horizontal, scale: scale.horizontal)
        vertical = Axis(full: fullSize.height, decoded: decodedSize.height, bar: bars.vertical, scale: scale.vertical)
    }

    /// The width of each black bar in a preview that shows a photograph of another aspect ratio, in pixels of the
    /// preview. `horizontal` is for the bars at the left and right, and `vertical` for the bars above and below. At
    /// least one of the two is 0.
    static func bars(of size: PixelSize, aspect: Double) -> (horizontal: Double, vertical: Double) {
        let own = Double(size.width) / Double(size.height)
        if abs(own / aspect - 1) <= tolerance { return (0, 0) }
        return own < aspect
            ? (0, (Double(size.height) - Double(size.width) / aspect) / 2)
            : ((Double(size.width) - Double(size.height) * aspect) / 2, 0)
    }

    /// The smallest scale, in eighths of full size, at which the decoded preview can show whether the bars are black.
    static func minimumEighths(of size: PixelSize, aspect: Double) -> Int {
        let bars = bars(of: size, aspect: aspect)
        let whole = Int(max(bars.horizontal, bars.vertical))
        return whole > 0 ? min(8, (8 + whole - 1) / whole) : 1
    }

    var hasBars: Bool { vertical.picture.lowerBound > 0 || horizontal.picture.lowerBound > 0 }

    /// The area of the decoded preview that the picture covers.
    var picture: SourceBox {
        SourceBox(
            x: horizontal.picture.lowerBound, y: vertical.picture.lowerBound,
            width: horizontal.picture.upperBound - horizontal.picture.lowerBound,
            height: vertical.picture.upperBound - vertical.picture.lowerBound)
    }

    /// The size of the decoded preview after its black bars have been cut off. Pixels that show both picture and bar
    /// remain.
    var pixelSize: PixelSize { PixelSize(width: horizontal.pixels.count, height: vertical.pixels.count) }

    /// The area of the picture, in pixels of the decoded preview after its black bars have been cut off.
    var pictureInPixels: SourceBox {
        var box = picture
        box.x -= Double(horizontal.pixels.lowerBound)
        box.y -= Double(vertical.pixels.lowerBound)
        return box
    }
}
