import ThumbwheelCore

/// How a stored image is to be turned to stand upright: the EXIF tag 0x0112, with its numbers.
public enum ImageOrientation: UInt8, Sendable, CaseIterable {
    /// Stored as it is shown.
    case up = 1
    /// Mirrored left to right.
    case upMirrored = 2
    /// Turned by half a circle.
    case down = 3
    /// Mirrored top to bottom.
    case downMirrored = 4
    /// Mirrored across the main diagonal.
    case leftMirrored = 5
    /// Stored lying on its left side; turned clockwise by a quarter to stand.
    case right = 6
    /// Mirrored across the other diagonal.
    case rightMirrored = 7
    /// Stored lying on its right side; turned anticlockwise by a quarter to stand.
    case left = 8

    /// Whether width and height change places.
    public var isTransposing: Bool { rawValue >= 5 }

    /// The size in display orientation of an image stored in `size`.
    public func displaySize(of size: PixelSize) -> PixelSize { isTransposing ? size.transposed : size }
}

extension ImageOrientation {
    /// The orientation of the image after it is mirrored left to right where it stands.
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

    /// The orientation of the image after it is mirrored top to bottom where it stands.
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

    /// The orientation of the image after it is turned anticlockwise by a quarter where it stands.
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
