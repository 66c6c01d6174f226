import Thumbwheel

/// Averages the time that a grid's images take to be rendered and fetched.
package struct SupplyGauge: Sendable {
    package struct Costs: Sendable {
        package var renderMilliseconds = 0.0
        package var networkMilliseconds = 0.0
    }

    /// The approximate number of images in the average: few enough that it soon adapts to other photographs, and enough
    /// that a single image hardly changes it.
    private static let memory = 32

    private var costs = Costs()
    private var count = 0
    /// Whether an image has been added since the last call of `takeCosts`.
    package private(set) var hasNews = false

    package init() {}

    /// Adds a final image to the average, even if it was rendered for an earlier request.
    package mutating func note(_ info: ImageInfo) {
        guard info.renderMilliseconds > 0 else { return }
        hasNews = true
        count = min(count + 1, Self.memory)
        let share = 1 / Double(count)
        costs.renderMilliseconds += share * (info.renderMilliseconds - costs.renderMilliseconds)
        costs.networkMilliseconds += share * (info.networkMilliseconds - costs.networkMilliseconds)
    }

    /// Returns the averages; nil if no image has been added since the last call.
    package mutating func takeCosts() -> Costs? {
        defer { hasNews = false }
        return hasNews ? costs : nil
    }
}
