import ThumbwheelCore

/// A rectangle of whole pixels inside a picture.
public struct PixelRegion: Sendable, Hashable {
    /// The first column of the rectangle, counted from 0 at the left.
    public var x: Int
    /// The first row of the rectangle, counted from 0 at the top.
    public var y: Int
    /// The size of the rectangle.
    public var size: PixelSize

    /// Makes a rectangle; nothing is checked.
    public init(x: Int, y: Int, size: PixelSize) {
        self.x = x
        self.y = y
        self.size = size
    }

    /// Makes the rectangle of a whole picture.
    public init(of picture: PixelSize) {
        self.init(x: 0, y: 0, size: picture)
    }
}
