import Thumbwheel

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
