import Dispatch
import Foundation
import TestSupport
import Testing
import Thumbwheel
import ThumbwheelCore
import ThumbwheelLocks
import ThumbwheelPipeline

import struct Synchronization.Atomic

/// Hits of the cache on several threads, while others make the cache forget.
@Suite(.endsHangs) struct ConcurrentHitTests {
    private static let ownerCount = 2
    private static let viewerCount = 3
    private static let assetCount = 6
    private static let options = ImageRequestOptions {
        $0.deliveryMode = .highQuality
        $0.allowsImmediateDelivery = true
    }

    /// The cache's answer; no render is started for it.
    private static func cached(_ asset: Asset, of manager: ImageManager) -> ImageResult? {
        manager.cachedResult(for: asset, targetSize: .small, contentMode: .aspectFill, options: options)
    }

    @Test(
        "what was forgotten, or has another version, is never answered again, however many threads ask",
        arguments: 0..<4)
    func forgetting(seed: UInt64) {
        let manager = ImageManager(SuspendableRenderer())
        let isOver = Atomic(false)
        let latest = Mutex([UInt32](repeating: 1, count: Self.ownerCount * Self.assetCount))
        let violations = Mutex<[String]>([])
        let answered = Atomic(0)
        DispatchQueue.concurrentPerform(iterations: Self.ownerCount + Self.viewerCount) { thread in
            var random = SeededGenerator(seed: seed &* 100 + UInt64(thread))
            guard thread < Self.ownerCount else {
                // A viewer looks at everybody's assets, at their latest versions, and starts nothing.
                while !isOver.load(ordering: .relaxed) {
                    let number = random.index(below: Self.ownerCount * Self.assetCount)
                    let version = latest.withLock { $0[number] }
                    let asset = Pictures.asset(number, contentVersion: version)
                    guard let result = Self.cached(asset, of: manager) else { continue }
                    answered.wrappingAdd(1, ordering: .relaxed)
                    if result.info.asset != asset.identifier || result.info.source != .cache {
                        violations.withLock { $0.append("viewer: another asset's image") }
                    }
                }
                return
            }
            for step in 0..<400 {
                // Only its owner makes an asset's images and forgets them.
                let number = thread * Self.assetCount + random.index(below: Self.assetCount)
                let version = latest.withLock { $0[number] }
                let asset = Pictures.asset(number, contentVersion: version)
                let rendered = DispatchSemaphore(value: 0)
                manager.requestImage(
                    for: asset, targetSize: .small, contentMode: .aspectFill, options: Self.options
                ) { _ in rendered.signal() }
                rendered.wait()
                if Self.cached(asset, of: manager) == nil {
                    violations.withLock { $0.append("seed \(seed), step \(step): made and not answered") }
                }
                if random.index(below: 2) == 0 {
                    manager.forgetImages(of: [asset.identifier])
                    if Self.cached(asset, of: manager) != nil {
                        violations.withLock { $0.append("seed \(seed), step \(step): forgotten and answered") }
                    }
                } else {
                    latest.withLock { $0[number] += 1 }
                    let changed = Pictures.asset(number, contentVersion: version + 1)
                    if Self.cached(changed, of: manager) != nil {
                        violations.withLock { $0.append("seed \(seed), step \(step): an older version") }
                    }
                }
            }
            if thread == 0 { isOver.store(true, ordering: .relaxed) }
        }
        #expect(violations.withLock { $0 } == [])
        #expect(manager.pipeline.read { $0.brokenInvariant } == nil)
        let statistics = manager.statistics
        #expect(statistics.requests.submitted == statistics.requests.delivered)
        #expect(statistics.cache.hits >= answered.load(ordering: .relaxed))
    }

    @Test("every hit of every thread is counted, and has an identifier of its own")
    func counts() async {
        let renderer = SuspendableRenderer()
        let manager = ImageManager(renderer)
        let log = ResultLog()
        let assets = (0..<100).map { Pictures.asset($0) }
        for number in assets.indices {
            manager.requestImage(
                for: assets[number], targetSize: .small, contentMode: .aspectFill, options: Self.options,
                resultHandler: log.handler(number))
        }
        await log.waitForEnds(assets.count)
        let before = manager.statistics
        let identifiers = Mutex<Set<ImageRequestID>>([])
        DispatchQueue.concurrentPerform(iterations: 4) { thread in
            var own: [ImageRequestID] = []
            var last: ImageRequestID?
            for round in 0..<1000 {
                if let id = Self.cached(assets[(round * 7 + thread) % 100], of: manager)?.info.requestID {
                    own.append(id)
                    last = id
                }
            }
            #expect(last != nil)
            identifiers.withLock { $0.formUnion(own) }
        }
        let after = manager.statistics
        #expect(after.requests.submitted - before.requests.submitted == 4000)
        #expect(after.requests.delivered - before.requests.delivered == 4000)
        #expect(after.cache.hits - before.cache.hits == 4000 && after.cache.lookups - before.cache.lookups == 4000)
        #expect(identifiers.withLock { $0.count } == 4000)
        #expect(renderer.callCount == 100)
    }

    @Test("a hit is answered while an event holds the pipeline's lock")
    func independence() async {
        let manager = ImageManager(SuspendableRenderer())
        let log = ResultLog()
        let asset = Pictures.asset(1)
        manager.requestImage(
            for: asset, targetSize: .small, contentMode: .aspectFill, options: Self.options,
            resultHandler: log.handler(1))
        await log.waitForEnds(1)
        let answered = DispatchSemaphore(value: 0)
        // The event ends only when the hit has been answered: if a hit waited for events, this would never end.
        manager.pipeline.apply { _, _ in
            Thread.detachNewThread {
                if Self.cached(asset, of: manager) != nil { answered.signal() }
            }
            answered.wait()
        }
    }

    @Test("a closed manager answers nothing from the cache")
    func closing() async {
        let manager = ImageManager(SuspendableRenderer())
        let log = ResultLog()
        let asset = Pictures.asset(1)
        manager.requestImage(
            for: asset, targetSize: .small, contentMode: .aspectFill, options: Self.options,
            resultHandler: log.handler(1))
        await log.waitForEnds(1)
        await manager.shutdown()
        #expect(Self.cached(asset, of: manager) == nil)
        #expect(manager.statistics.requests.submitted == 1)
    }
}
