import SimulationKit
import Testing
import ThumbwheelAssets
import ThumbwheelCore
import ThumbwheelFormats
import ThumbwheelRendering
import ThumbwheelScheduling

@Suite struct SimulationProgressTests {
    @Test("the first line of progress comes at once, and each other one after its interval")
    func pace() {
        var progress = SimulationProgress(total: 1000, every: .seconds(20))
        #expect(progress.text(done: 0, after: .zero) == "0 of 1000 histories")
        #expect(progress.text(done: 100, after: .seconds(19)) == nil)
        #expect(progress.text(done: 200, after: .seconds(20)) == "200 of 1000 histories, 10 a second, 80 s left")
        #expect(progress.text(done: 300, after: .seconds(39)) == nil)
        // A late report from another thread must not lower the count.
        #expect(progress.text(done: 250, after: .seconds(40)) == "300 of 1000 histories, 8 a second, 94 s left")
    }
}
