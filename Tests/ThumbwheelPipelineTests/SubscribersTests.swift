import TestSupport
import Testing
import ThumbwheelAssets
import ThumbwheelCore
import ThumbwheelFormats
import ThumbwheelRendering
import ThumbwheelScheduling

@testable import ThumbwheelPipeline

@Suite struct SubscribersTests {
    @Test(
        "order, number and most urgent rank are those of a list, through any sequence of events",
        arguments: 0..<16 as Range<UInt64>)
    func random(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var subscribers = Subscribers()
        var reference: [ImageRequestID] = []
        var ranks: [ImageRequestID: JobRank] = [:]
        func rank(_ id: ImageRequestID) -> JobRank {
            JobRank(
                priority: .userInitiated, stage: .final, urgency: Double(random.index(below: 10)),
                sequence: Int64(id.rawValue))
        }
        // The crowd grows and shrinks by turns.
        for step in 1...3000 as ClosedRange<UInt64> {
            let id = ImageRequestID(rawValue: step)
            let isGrowing = step / 200 % 2 == 0
            switch random.index(below: 10) {
            case ..<(isGrowing ? 6 : 2):
                ranks[id] = rank(id)
                subscribers.append(id) { ranks[$0]! }
                reference.append(id)
            case 9 where !reference.isEmpty:
                let moved = reference[random.index(below: reference.count)]
                ranks[moved] = rank(moved)
                subscribers.setRank(ranks[moved]!, of: moved)
            case _ where !reference.isEmpty:
                let gone = reference.remove(at: random.index(below: reference.count))
                let removals = [subscribers.remove(gone), subscribers.remove(gone)]
                #expect(removals == [true, false] && !subscribers.contains(gone))
            default: #expect(!subscribers.contains(id))
            }
            #expect(subscribers.count == reference.count && subscribers.isEmpty == reference.isEmpty)
            #expect(Array(subscribers.inOrder) == reference, "seed \(seed)")
            if let least = subscribers.leastRankOfCrowd {
                #expect(least == reference.map { ranks[$0]! }.min(), "seed \(seed)")
            } else {
                #expect(reference.count <= 8)
            }
        }
    }

    @Test("cancelling the most urgent of a thousand subscribers looks at none of the others")
    func cancelling() {
        var pipeline = TablePipeline(servesNewestFirst: true)
        _ = pipeline.submit(1)
        var ids = (0..<1000).map { _ in pipeline.submit(2) }
        _ = pipeline.submit(3)
        while let newest = ids.popLast(), ids.count > 500 {
            pipeline.cancel(newest)
            #expect(pipeline.received(newest) == [.cancelled])
        }
        pipeline.finishAll()
        for id in ids { #expect(pipeline.received(id) == [.final(.high)]) }
    }

    @Test("raising one of many subscribers raises their job")
    func moving() {
        var pipeline = TablePipeline()
        _ = pipeline.submit(1)
        let ids = (0..<20).map { _ in pipeline.submit(2, priority: .background) }
        _ = pipeline.submit(3, priority: .prefetch)
        pipeline.setPriority(.userInitiated, of: ids[7])
        pipeline.finishAll()
        #expect(pipeline.started.map(\.asset) == [1, 2, 3])
    }
}
