/// How fast a grid gets images, estimated from the images that it has received.
public struct GridSupply: Hashable, Sendable {
    /// The mean time from one finished image to the next, in milliseconds, if the grid's share of all workers and
    /// network transfers is busy.
    public var millisecondsPerImage: Double
    /// The time that one image takes from its start to its end, in milliseconds.
    public var latencyMilliseconds: Double

    /// Makes a supply; both times are in milliseconds.
    public init(millisecondsPerImage: Double, latencyMilliseconds: Double) {
        self.millisecondsPerImage = millisecondsPerImage
        self.latencyMilliseconds = latencyMilliseconds
    }

    /// Returns the scroll speed, in pixels per millisecond, at which as many items appear as images are made.
    func pace(in layout: any ScrollLayout) -> Double { layout.lengthPerItem / millisecondsPerImage }
}
