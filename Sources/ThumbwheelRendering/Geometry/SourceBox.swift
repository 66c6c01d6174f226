import ThumbwheelFormats

/// A rectangle whose edges may lie inside pixels; pixel i covers the interval from i to i + 1.
package struct SourceBox: Sendable, Hashable {
    /// The left edge in pixels.
    package var x: Double
    /// The upper edge in pixels.
    package var y: Double
    /// The width in pixels.
    package var width: Double
    /// The height in pixels.
    package var height: Double

    /// Makes a rectangle; all numbers are in pixels.
    package init(x: Double, y: Double, width: Double, height: Double) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }

    /// A box of the given size with the same centre as this box.
    func centred(width: Double, height: Double) -> SourceBox {
        SourceBox(x: x + (self.width - width) / 2, y: y + (self.height - height) / 2, width: width, height: height)
    }

    /// The box of the same region in a picture that has `horizontal` times as many pixels in a row and `vertical` times
    /// as many rows.
    func scaled(horizontally horizontal: Double, vertically vertical: Double) -> SourceBox {
        SourceBox(x: x * horizontal, y: y * vertical, width: width * horizontal, height: height * vertical)
    }

    /// Converts the box from the coordinates of the image in display orientation to those of the stored image.
    func stored(under orientation: ImageOrientation, displayWidth: Double, displayHeight: Double) -> SourceBox {
        let right = displayWidth - x - width
        let below = displayHeight - y - height
        return switch orientation {
        case .up: self
        case .upMirrored: SourceBox(x: right, y: y, width: width, height: height)
        case .down: SourceBox(x: right, y: below, width: width, height: height)
        case .downMirrored: SourceBox(x: x, y: below, width: width, height: height)
        case .leftMirrored: SourceBox(x: y, y: x, width: height, height: width)
        case .right: SourceBox(x: y, y: right, width: height, height: width)
        case .rightMirrored: SourceBox(x: below, y: right, width: height, height: width)
        case .left: SourceBox(x: below, y: x, width: height, height: width)
        }
    }
}

extension SourceBox {
    /// The smallest box that contains all of the given boxes.
    ///
    /// - Precondition: `boxes` is not empty.
    static func covering(_ boxes: [SourceBox]) -> SourceBox {
        let (x, y) = (boxes.map(\.x).min()!, boxes.map(\.y).min()!)
        return SourceBox(
            x: x, y: y, width: boxes.map { $0.x + $0.width }.max()! - x,
            height: boxes.map { $0.y + $0.height }.max()! - y)
    }
}
