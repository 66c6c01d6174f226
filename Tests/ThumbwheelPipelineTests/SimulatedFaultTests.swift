import Testing
import ThumbwheelAssets
import ThumbwheelCore
import ThumbwheelFormats
import ThumbwheelPipeline
import ThumbwheelRendering
import ThumbwheelScheduling

@testable import SimulationKit

/// Shrunk histories that once broke a rule.
@Suite struct SimulatedFaultTests {
    private static let plain = SimulatedHistory.Setup(
        workerCount: 1, budget: 64 << 20, servesNewestFirst: false, keepsRenditions: true)

    @Test("a request that may not use the network does not join a fetch whose bytes were given up (seed 7949599)")
    func progressOfAnotherFetch() {
        let picture = SimulatedPicture(asset: 4, side: 128, isFast: true)
        let history = SimulatedHistory(
            setup: Self.plain,
            steps: [
                .openWindow(1),
                .setBudget(512 << 10),
                .startCaching(window: 1, [SimulatedWindowEntry(picture: picture, urgency: .nan)]),
                .submit(
                    SimulatedRequest(
                        number: 18, picture: SimulatedPicture(asset: 4, side: 256), mode: .opportunistic,
                        priority: .userInitiated, urgency: 0)),
                .finish(worker: 0, ending: .failure),
                .finishFetch(asset: 4, ending: .bytes),
                .submit(
                    SimulatedRequest(
                        number: 24, picture: SimulatedPicture(asset: 0, side: 64, isFast: true), mode: .fast,
                        priority: .userInitiated, urgency: 0)),
                .finish(worker: 0, ending: .image),
                .submit(
                    SimulatedRequest(
                        number: 25, picture: picture, mode: .fast, priority: .prefetch, urgency: 0,
                        isNetworkAccessAllowed: false)),
                .progressFetch(asset: 4, fraction: 0.28),
            ].map { SimulatedStep(delay: 0, event: $0) })
        #expect(history.replay() == nil)
    }

    @Test("a fetch that fails does not fail a request that may not use the network")
    func failureOfAnotherFetch() {
        let picture = SimulatedPicture(asset: 4, side: 128, isFast: true)
        let history = SimulatedHistory(
            setup: Self.plain,
            steps: [
                .openWindow(1),
                .setBudget(512 << 10),
                .startCaching(window: 1, [SimulatedWindowEntry(picture: picture, urgency: 0)]),
                .submit(
                    SimulatedRequest(
                        number: 1, picture: SimulatedPicture(asset: 4, side: 256), mode: .highQuality,
                        priority: .userInitiated, urgency: 0)),
                .finishFetch(asset: 4, ending: .bytes),
                .submit(
                    SimulatedRequest(
                        number: 2, picture: SimulatedPicture(asset: 0, side: 64, isFast: true), mode: .fast,
                        priority: .userInitiated, urgency: 0)),
                .finish(worker: 0, ending: .image),
                .submit(
                    SimulatedRequest(
                        number: 3, picture: picture, mode: .fast, priority: .prefetch, urgency: 0,
                        isNetworkAccessAllowed: false)),
                .finishFetch(asset: 4, ending: .failure),
            ].map { SimulatedStep(delay: 0, event: $0) })
        #expect(history.replay() == nil)
    }
}
