/// How a run is made.
package struct SoakSettings: Sendable {
    package var seed: UInt64
    package var userCount = 12
    package var managerCount = 3
    package var limits = StepDrawer.Limits(assetCount: 120, nodeCount: 30)
    /// How many steps there are from one rest to the next.
    package var restInterval = 100
    /// The end of the run, whichever comes first; nil for none.
    package var stepLimit: Int?
    package var duration: Duration?
    /// How long a step, or the way to a rest, may take.
    package var patience = Duration.seconds(60)
    /// Where libraries are saved.
    package var folder: String
    package var watchesMemory = true

    package init(seed: UInt64, folder: String) {
        self.seed = seed
        self.folder = folder
    }

    /// For machines and sanitizers that have little room.
    package mutating func makeSmall() {
        userCount = 5
        managerCount = 2
        limits = StepDrawer.Limits(assetCount: 40, nodeCount: 12)
        patience = .seconds(600)
    }
}
