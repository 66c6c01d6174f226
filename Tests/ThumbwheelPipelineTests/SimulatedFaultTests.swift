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

    @Test("a failed fetch passes over a job that ended with the request of another one (seed 40016694)")
    func jobThatEndedMeanwhile() {
        func fast(_ side: Int, isFitted: Bool = false) -> SimulatedPicture {
            SimulatedPicture(asset: 2, side: side, isFitted: isFitted, isFast: true)
        }
        func request(
            _ number: Int, _ picture: SimulatedPicture, _ mode: DeliveryMode = .opportunistic,
            _ priority: RequestPriority = .userInitiated, urgency: Double = 0, isNetworkAccessAllowed: Bool = true,
            allowsSecondDegraded: Bool = false
        ) -> SimulatedEvent {
            .submit(
                SimulatedRequest(
                    number: number, picture: picture, mode: mode, priority: priority, urgency: urgency,
                    isNetworkAccessAllowed: isNetworkAccessAllowed, allowsSecondDegraded: allowsSecondDegraded))
        }
        func entry(_ asset: Int, _ side: Int, isCropped: Bool = false, isFitted: Bool = false, urgency: Double = 0)
            -> SimulatedWindowEntry
        {
            SimulatedWindowEntry(
                picture: SimulatedPicture(asset: asset, side: side, isCropped: isCropped, isFitted: isFitted),
                urgency: urgency)
        }
        let steps: [(delay: Double, event: SimulatedEvent)] = [
            (0, request(7, fast(64), .fast)),
            (
                0,
                .batch([
                    request(8, fast(128, isFitted: true), .fast, .background, urgency: 3),
                    request(
                        9, SimulatedPicture(asset: 0, side: 64, isFitted: true), .opportunistic, .background,
                        urgency: 4,
                        isNetworkAccessAllowed: false),
                ])
            ),
            (10, request(11, fast(64, isFitted: true), .fast, .prefetch)),
            (19, .openWindow(1)),
            (15.28, .openWindow(2)),
            (60, .wake),
            (0, .startCaching(window: 2, [entry(2, 128)])),
            (6, .wake),
            (0, .startCaching(window: 1, [entry(1, 256, isCropped: true), entry(3, 256, isFitted: true, urgency: 2)])),
            (0, .finishFetch(asset: 3, ending: .bytes)),
            (0, .setBudget(2 << 20)),
            (0, request(29, SimulatedPicture(asset: 3, side: 64), allowsSecondDegraded: true)),
            (23, .finish(worker: 0, ending: .failure)),
            (4, request(30, SimulatedPicture(asset: 5, side: 128))),
            (75, .wake),
            (0, .finishFetch(asset: 3, ending: .failure)),
        ]
        let setup = SimulatedHistory.Setup(
            workerCount: 4, budget: 64 << 20, servesNewestFirst: false, keepsRenditions: true, hasTiers: false,
            hasSharedTier: true)
        let history = SimulatedHistory(
            setup: setup, steps: steps.map { SimulatedStep(delay: $0.delay, event: $0.event) })
        #expect(history.replay() == nil)
    }
}
