/// The share of a manager's workers and transfers that each of its viewers can count on.
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
