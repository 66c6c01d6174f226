/// One viewer's share of the workers and network transfers of a manager that several viewers (caching managers) use.
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
