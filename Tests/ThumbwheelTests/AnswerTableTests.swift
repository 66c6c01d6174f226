import SimulationKit
import TestSupport
import Testing
import ThumbwheelCore
import ThumbwheelScheduling

@testable import Thumbwheel
@testable import ThumbwheelPipeline

/// A table that answers beside the pipeline: the pipeline decides as if it had answered itself.
@Suite struct AnswerTableTests {
    private static let assetCount = 14
    private static let sides = [100, 200]

    private final class Table: Sendable {
        let answers = AnswerTable()
    }

    /// A pipeline, and the table that answers for it; nil if the pipeline answers itself.
    private struct Side {
        var driver: PipelineDriver
        let table: Table?

        init(answersBeside: Bool, packs: Bool) {
            table = answersBeside ? Table() : nil
            driver = PipelineDriver(
                configuration: PipelineState.Configuration(workerCount: 2, budget: 12_000) {
                    $0.reportsRenditions = answersBeside
                    $0.packedTiers = packs ? MemoryTier.packedTiers : []
                })
        }

        /// Has an event happen as `ImagePipeline` does.
        @discardableResult
        mutating func apply<Result>(_ event: (inout PipelineDriver) -> Result) -> Result {
            driver.apply { [table] state, _ in table?.answers.handOver(to: &state) }
            defer { driver.apply { [table] state, _ in table?.answers.follow(state.takeRenditionChanges()) } }
            return event(&driver)
        }

        /// - Parameter stripe: the stripe of the thread that asks.
        mutating func answer(_ key: RenditionKey, _ priority: RequestPriority, stripe: Int) -> CachedAnswer? {
            var isFull = false
            guard let table else { return driver.apply { $0.answer(key, priority: priority, at: $1) } }
            return table.answers.answer(key, priority: priority, stripe: stripe, isFull: &isFull)
        }

        mutating func finish(_ index: Int) {
            guard !driver.runningJobs.isEmpty else { return apply { _ in } }
            let job = driver.runningJobs[index % driver.runningJobs.count]
            apply { driver in
                if job.packingTier != nil { return driver.finish(worker: job.worker, with: .stopped) }
                driver.finish(worker: job.worker, with: .ended(job.keys.map { .success(AnswerTableTests.image($0)) }))
            }
        }

        /// What the pipeline has decided so far, and what it has.
        var outcome: [String] {
            driver.starts.map { "\($0.worker) \($0.key.subject.asset.low) \($0.key.options.targetSize)" }
                + AnswerTableTests.keys.map { driver.state.pixels(of: $0) == nil ? "-" : "+" }
        }
    }

    private static func key(_ asset: Int, _ kind: RenditionKey.Kind, _ side: Int) -> RenditionKey {
        RenditionKey(
            subject: RenditionKey.Subject(asset: AssetIdentifier(high: 0, low: UInt64(asset)), contentVersion: 1),
            kind: kind, options: RenderOptions(targetSize: PixelSize(width: side, height: side)))
    }

    private static let keys = (0..<assetCount).flatMap { asset in
        [RenditionKey.Kind.fast, .high].flatMap { kind in sides.map { key(asset, kind, $0) } }
    }

    private static func image(_ key: RenditionKey) -> PipelineImage {
        PipelineImage(
            .onePixel(),
            ImageFacts(
                pixelSize: key.options.targetSize, byteCount: 10 * key.options.targetSize.width, source: .reduced,
                eighths: 8, decoder: .vips))
    }

    @Test("in random histories both decide alike, evict alike and count alike", arguments: 0..<60)
    func equivalence(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var threads = SeededGenerator(seed: seed &+ 1000)
        var sides = [false, true].map { Side(answersBeside: $0, packs: seed.isMultiple(of: 2)) }
        let windows = sides.indices.map { side in sides[side].apply { $0.apply { state, _ in state.addWindow() } } }
        var hitCount = 0
        for step in 0..<400 {
            let choice = random.index(below: 20)
            let key = Self.keys[random.index(below: Self.keys.count)]
            let number = random.index(below: 8)
            let priority: RequestPriority = number == 0 ? .prefetch : .userInitiated
            let stripe = threads.index(below: 3) * (ThreadStripe.count / 2 - 1)
            for side in sides.indices {
                switch choice {
                case 0..<10:
                    if sides[side].answer(key, priority, stripe: stripe) != nil {
                        hitCount += side
                    } else {
                        let request = PipelineRequest(
                            key: key, deliveryMode: key.kind == .fast ? .fast : .highQuality, priority: priority,
                            urgency: 0, wantsPreview: false, work: .nothing(for: key.subject.asset), receiver: .none)
                        sides[side].apply { _ = $0.apply { $0.submit(request, at: $1) } }
                    }
                case 10..<16: sides[side].finish(number)
                case 16:
                    let wish = WindowWish(key, work: .nothing(for: key.subject.asset), urgency: Double(number))
                    sides[side].apply { $0.apply { $0.startCaching([wish], in: windows[side], at: $1) } }
                case 17: sides[side].apply { $0.apply { $0.stopCaching([key], in: windows[side], at: $1) } }
                case 18: sides[side].apply { $0.apply { $0.forget([key.subject.asset], at: $1) } }
                default: sides[side].apply { $0.apply { $0.setBudget(4000 + 2000 * number, at: $1) } }
                }
                // Receivers take what they are given.
                while let id = sides[side].driver.drains.first { _ = sides[side].driver.drain(id) }
            }
            // A hit changes nothing before the next event.
            if choice >= 10 {
                #expect(sides[0].outcome == sides[1].outcome, "seed \(seed), step \(step)")
                #expect(
                    sides[0].driver.state.statistics == sides[1].driver.state.statistics, "seed \(seed), step \(step)")
            }
            for key in Self.keys where sides[1].driver.state.pixels(of: key) == nil {
                var isFull = false
                let other = key.substituteKey.flatMap { sides[1].driver.state.pixels(of: $0) }
                if other == nil {
                    let answer = sides[1].table?.answers.answer(
                        key, priority: .prefetch, stripe: stripe, isFull: &isFull)
                    #expect(answer == nil, "seed \(seed), step \(step): what the cache has not")
                }
            }
        }
        #expect(hitCount > 10, "seed \(seed)")
    }

    @Test("uses are told in the order in which they were made, each once, over all stripes", arguments: [1, 2, 5])
    func order(stripeCount: Int) {
        var side = Side(answersBeside: true, packs: false)
        for asset in 0..<10 {
            let request = PipelineRequest(
                key: Self.key(asset, .high, 100), deliveryMode: .highQuality, priority: .userInitiated, urgency: 0,
                wantsPreview: false, work: .nothing(for: Self.key(asset, .high, 100).subject.asset), receiver: .none)
            side.apply { _ = $0.apply { $0.submit(request, at: $1) } }
            side.finish(0)
            while let id = side.driver.drains.first { _ = side.driver.drain(id) }
        }
        // The least recently used are 0 to 4, then 6, 8, 9, 7, 5.
        for (number, asset) in [5, 6, 8, 9, 7, 5].enumerated() {
            let answer = side.answer(Self.key(asset, .high, 100), .userInitiated, stripe: number % stripeCount)
            #expect(answer?.shared.bitmap != nil)
        }
        for (budget, left) in [(5000, [5, 6, 7, 8, 9]), (4000, [5, 7, 8, 9]), (2000, [5, 7]), (1000, [5])] {
            side.apply { $0.apply { $0.setBudget(budget, at: $1) } }
            let kept = (0..<10).filter { side.driver.state.pixels(of: Self.key($0, .high, 100)) != nil }
            #expect(kept == left)
        }
        #expect(side.driver.state.statistics.cache.hits == 6)
    }

    @Test("a use of an image that goes is not taken for one of an image that comes in its place")
    func succession() throws {
        var side = Side(answersBeside: false, packs: false)
        side.apply { $0.apply { $0.setBudget(100_000, at: $1) } }
        let (former, new) = (0..<60, 100..<160)
        for asset in new {
            let request = PipelineRequest(
                key: Self.key(asset, .high, 100), deliveryMode: .highQuality, priority: .userInitiated, urgency: 0,
                wantsPreview: false, work: .nothing(for: Self.key(asset, .high, 100).subject.asset), receiver: .none)
            side.apply { _ = $0.apply { $0.submit(request, at: $1) } }
            side.finish(0)
            while let id = side.driver.drains.first { _ = side.driver.drain(id) }
        }
        func change(_ asset: Int, comes: Bool) -> RenditionChange {
            let key = Self.key(asset, .high, 100)
            return RenditionChange(
                key: key, shared: comes ? SharedImage(Self.image(key), of: key.subject.asset) : nil)
        }
        let table = Table()
        table.answers.follow(former.map { change($0, comes: true) })
        for asset in former.reversed() {
            var isFull = false
            let key = Self.key(asset, .high, 100)
            #expect(table.answers.answer(key, priority: .prefetch, stripe: 3, isFull: &isFull) != nil)
        }
        // In one event all former images go, and the new ones get their numbers.
        table.answers.follow(former.map { change($0, comes: false) } + new.map { change($0, comes: true) })
        side.apply { $0.apply { state, _ in table.answers.handOver(to: &state) } }
        side.apply { $0.apply { $0.setBudget(30_000, at: $1) } }
        // None of the new images has been used, so those that came last are kept.
        let kept = new.filter { side.driver.state.pixels(of: Self.key($0, .high, 100)) != nil }
        #expect(kept == Array(130..<160))
    }

    @Test("identifiers of answered requests are never used twice, and never those of submitted ones")
    func identifiers() {
        var identifiers: Set<ImageRequestID> = []
        for count in UInt64(1)...100 {
            for answerer in UInt64(0)..<64 { identifiers.insert(.answered(count, by: answerer)) }
        }
        #expect(identifiers.count == 6400)
        #expect(identifiers.allSatisfy { $0 > ImageRequestID(rawValue: .max >> 1) })
    }
}
