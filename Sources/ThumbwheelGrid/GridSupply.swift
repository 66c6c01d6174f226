/// How fast a grid gets images, as far as those that it has had tell.
public struct GridSupply: Hashable, Sendable {
    /// The time from one image to the next, in milliseconds, while everything that a grid can count on works for it.
    public var millisecondsPerImage: Double
    /// The time from the beginning of an image's making to its end, in milliseconds.
    public var latencyMilliseconds: Double

    /// Makes a supply; both times are in milliseconds.
    public init(millisecondsPerImage: Double, latencyMilliseconds: Double) {
        self.millisecondsPerImage = millisecondsPerImage
        self.latencyMilliseconds = latencyMilliseconds
    }

    /// The speed of a view, in pixels a millisecond, that passes images as fast as they are made.
    func pace(in layout: GridLayout) -> Double { layout.cellSide / Double(layout.columnCount) / millisecondsPerImage }
}
