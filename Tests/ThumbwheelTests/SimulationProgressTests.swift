import SimulationKit
import Testing

@Suite struct SimulationProgressTests {
    @Test("the first line comes at once, and each other when its time has come")
    func pace() {
        var progress = SimulationProgress(total: 1000, every: .seconds(20))
        #expect(progress.text(done: 0, after: .zero) == "0 of 1000 histories")
        #expect(progress.text(done: 100, after: .seconds(19)) == nil)
        #expect(progress.text(done: 200, after: .seconds(20)) == "200 of 1000 histories, 10 a second, 80 s left")
        #expect(progress.text(done: 300, after: .seconds(39)) == nil)
        // Late news from another thread.
        #expect(progress.text(done: 250, after: .seconds(40)) == "300 of 1000 histories, 8 a second, 94 s left")
    }
}
