/// How fast a grid gets images, estimated from the images that it has received.
public struct GridSupply: Hashable, Sendable {
    /// The time from one image to the next, in milliseconds, if all workers and transfers that the grid can count on work for
    /// it.
    public var millisecondsPerImage: Double
    /// The time that one image takes from the start of its making to the end, in milliseconds.
    public var latencyMilliseconds: Double

    /// Makes a supply; both times are in milliseconds.
    public init(millisecondsPerImage: Double, latencyMilliseconds: Double) {
        self.millisecondsPerImage = millisecondsPerImage
        self.latencyMilliseconds = latencyMilliseconds
    }

    /// Returns the scroll speed, in pixels per millisecond, at which new items appear as fast as images are made.
    func pace(in layout: any ScrollLayout) -> Double { layout.lengthPerItem / millisecondsPerImage }
}
