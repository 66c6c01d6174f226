import Thumbwheel

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

/// What of a manager one of those who share it can count on.
package struct ManagerShare: Sendable {
    let workers: Double
    let fetches: Double

    package init(workerCount: Int, fetchLimit: Int, viewerCount: Int) {
        let viewerCount = Double(max(1, viewerCount))
        workers = Double(workerCount) / viewerCount
        fetches = Double(max(1, fetchLimit)) / viewerCount
    }

    package func supply(_ costs: SupplyGauge.Costs) -> GridSupply {
        GridSupply(
            millisecondsPerImage: max(costs.renderMilliseconds / workers, costs.networkMilliseconds / fetches),
            latencyMilliseconds: costs.renderMilliseconds + costs.networkMilliseconds)
    }
}

/// Averages what a grid's images cost.
package struct SupplyGauge: Sendable {
    package struct Costs: Sendable {
        package var renderMilliseconds = 0.0
        package var networkMilliseconds = 0.0
    }

    /// How many images the average is of, about: few enough for other photographs to show, enough for one not to.
    private static let memory = 32

    private var costs = Costs()
    private var count = 0
    /// Whether an image has been noted since this was last asked for costs.
    package private(set) var hasNews = false

    package init() {}

    /// Notes a final image, whenever it was made.
    package mutating func note(_ info: ImageInfo) {
        guard info.renderMilliseconds > 0 else { return }
        hasNews = true
        count = min(count + 1, Self.memory)
        let share = 1 / Double(count)
        costs.renderMilliseconds += share * (info.renderMilliseconds - costs.renderMilliseconds)
        costs.networkMilliseconds += share * (info.networkMilliseconds - costs.networkMilliseconds)
    }

    /// The averages; nil where no image has been noted since this was last asked.
    package mutating func takeCosts() -> Costs? {
        defer { hasNews = false }
        return hasNews ? costs : nil
    }
}
