import ThumbwheelCore

/// How a stored image is to be turned to stand upright: the EXIF tag 0x0112, with its numbers.
public enum ImageOrientation: UInt8, Sendable, CaseIterable {
    /// The image is stored as it is shown.
    case up = 1
    /// The image is stored mirrored left to right.
    case upMirrored = 2
    /// The image is stored turned by half a circle.
    case down = 3
    /// The image is stored mirrored top to bottom.
    case downMirrored = 4
    /// The image is stored mirrored across the diagonal from the upper left to the lower right.
    case leftMirrored = 5
    /// The image is stored lying on its left side, and is turned clockwise by a quarter to stand upright.
    case right = 6
    /// The image is stored mirrored across the diagonal from the upper right to the lower left.
    case rightMirrored = 7
    /// The image is stored lying on its right side, and is turned anticlockwise by a quarter to stand upright.
    case left = 8

    /// Whether the width and the height of the image change places when it is turned upright.
    public var isTransposing: Bool { rawValue >= 5 }

    /// Returns the size, in display orientation, of an image stored in `size`.
    public func displaySize(of size: PixelSize) -> PixelSize { isTransposing ? size.transposed : size }
}

extension ImageOrientation {
    /// The orientation after the upright image is mirrored left to right.
    var flippedHorizontally: ImageOrientation {
        switch self {
        case .up: .upMirrored
        case .upMirrored: .up
        case .down: .downMirrored
        case .downMirrored: .down
        case .leftMirrored: .right
        case .right: .leftMirrored
        case .rightMirrored: .left
        case .left: .rightMirrored
        }
    }

    /// The orientation after the upright image is mirrored top to bottom.
    var flippedVertically: ImageOrientation {
        switch self {
        case .up: .downMirrored
        case .upMirrored: .down
        case .down: .upMirrored
        case .downMirrored: .up
        case .leftMirrored: .left
        case .right: .rightMirrored
        case .rightMirrored: .right
        case .left: .leftMirrored
        }
    }

    /// The orientation after the upright image is turned anticlockwise by a quarter.
    var turnedLeft: ImageOrientation {
        switch self {
        case .up: .left
        case .left: .down
        case .down: .right
        case .right: .up
        case .upMirrored: .leftMirrored
        case .leftMirrored: .downMirrored
        case .downMirrored: .rightMirrored
        case .rightMirrored: .upMirrored
        }
    }
}
