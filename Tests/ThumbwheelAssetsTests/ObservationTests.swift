import Dispatch
import Foundation
import TestSupport
import Testing
import ThumbwheelAssets
import ThumbwheelCore
import ThumbwheelLocks

import struct Synchronization.Atomic

@Suite(.endsHangs) struct ObservationTests {
    @Test("every transaction reaches an observer, alone or with others")
    func nothingIsLost() throws {
        let library = PhotoLibrary()
        library.add((0..<50).map { SampleAssets.asset($0) })
        let told = Mutex(0)
        let arrived = DispatchSemaphore(value: 0)
        let observation = library.observeChanges { change in
            told.withLock { $0 += change.transactionCount }
            arrived.signal()
        }
        defer { observation.cancel() }
        for round in 1...3000 {
            try library.performChangesAndWait { changes in
                try changes.edit(SampleAssets.identifier(round % 50)) { $0.isFavorite.toggle() }
            }
            // Now and then several at once.
            if round % 3 != 0 { continue }
            while told.withLock({ $0 }) < round { arrived.wait() }
        }
        #expect(told.withLock { $0 } == 3000)
    }

    @Test("calls of an observer do not overlap, and it may fetch from the library and change it")
    func oneAtATime() throws {
        let library = PhotoLibrary()
        library.add((0..<8).map { SampleAssets.asset($0) })
        let running = Atomic(0)
        let overlaps = Atomic(0)
        let told = Mutex(0)
        let arrived = DispatchSemaphore(value: 0)
        let observation = library.observeChanges { [library] change in
            if running.add(1, ordering: .relaxed).newValue != 1 { overlaps.add(1, ordering: .relaxed) }
            #expect(library.fetchAssets().count >= 8)
            if told.withLock({ $0 }) == 0 {
                #expect(throws: Never.self) {
                    try library.performChangesAndWait { _ = try $0.createAsset(SampleAssets.asset(100)) }
                }
            }
            running.subtract(1, ordering: .relaxed)
            told.withLock { $0 += change.transactionCount }
            arrived.signal()
        }
        defer { observation.cancel() }
        DispatchQueue.concurrentPerform(iterations: 4) { thread in
            for _ in 0..<100 {
                #expect(throws: Never.self) {
                    try library.performChangesAndWait { changes in
                        try changes.edit(SampleAssets.identifier(thread)) { $0.isFavorite.toggle() }
                    }
                }
            }
        }
        while told.withLock({ $0 }) < 401 { arrived.wait() }
        #expect(overlaps.load(ordering: .relaxed) == 0 && told.withLock { $0 } == 401)
    }

    @Test("a sequence of changes gives several as one to those who are slow")
    func sequence() async throws {
        let library = PhotoLibrary()
        var changes = library.changes.makeAsyncIterator()
        for number in 0..<10 {
            try await library.performChanges { try $0.createAsset(SampleAssets.asset(number)) }
        }
        let all = library.fetchAssets()
        var count = 0
        while count < 10, let change = await changes.next() { count += change.transactionCount }
        #expect(count == 10 && all.count == 10)
    }

    @Test("an observation that is let go of ends, and those that are kept go on")
    func letGo() throws {
        let library = PhotoLibrary()
        let told = Mutex((lost: 0, kept: 0))
        let arrived = DispatchSemaphore(value: 0)
        // What becomes of a local variable after its last use.
        _ = library.observeChanges { _ in told.withLock { $0.lost += 1 } }
        let kept = library.observeChanges { change in
            told.withLock { $0.kept += change.transactionCount }
            arrived.signal()
        }
        defer { kept.cancel() }
        for number in 0..<50 {
            library.add([SampleAssets.asset(number)])
            while told.withLock({ $0.kept }) <= number { arrived.wait() }
        }
        #expect(told.withLock { $0.lost } == 0 && told.withLock { $0.kept } == 50)
    }

    @Test("a loop over the changes misses none, though nobody keeps more than the loop")
    func loop() async throws {
        let library = PhotoLibrary()
        let (counts, continuation) = AsyncStream.makeStream(of: Int.self)
        let changes = library.changes.makeAsyncIterator()
        let task = Task {
            // Its own copy: all that is used of it is the next call.
            var changes = changes
            var count = 0
            while let change = await changes.next() {
                count += change.transactionCount
                continuation.yield(count)
            }
            continuation.finish()
        }
        var told = counts.makeAsyncIterator()
        for number in 1...200 {
            try await library.performChanges { try $0.createAsset(SampleAssets.asset(number)) }
            // Most often the loop is asleep when the next change comes.
            try #require(await told.next() == number)
        }
        task.cancel()
        #expect(await told.next() == nil)
    }

    @Test("readers on several threads see only consistent snapshots during a storm of transactions")
    func consistency() throws {
        let library = PhotoLibrary()
        let (count, rounds) = (2000, 60)
        library.add((0..<count).map { SampleAssets.asset($0) })
        let start = library.currentChangeToken
        let isDone = Atomic(false)
        let wrong = Atomic(0)
        // Each transaction turns all favourites over: every snapshot has all or none.
        DispatchQueue.concurrentPerform(iterations: 4) { thread in
            if thread == 0 {
                for _ in 0..<rounds {
                    #expect(throws: Never.self) { try library.turnOverFavorites(count) }
                }
                isDone.store(true, ordering: .releasing)
                return
            }
            repeat {
                let favorites = library.fetchAssets().count { $0.isFavorite }
                if favorites != 0 && favorites != count { wrong.add(1, ordering: .relaxed) }
            } while !isDone.load(ordering: .acquiring)
        }
        #expect(wrong.load(ordering: .relaxed) == 0)
        // Each transaction has taken effect, and is in the history once.
        #expect(library.fetchAssets().count { $0.isFavorite } == (rounds.isMultiple(of: 2) ? 0 : count))
        #expect(try library.fetchPersistentChanges(since: start).count == rounds)
    }

    @Test("the history tells what happened since a token, and says when it cannot")
    func history() throws {
        let library = PhotoLibrary(
            configuration: PhotoLibrary.Configuration {
                $0.historyLimit = 20
                $0.historyDetailLimit = 5
            })
        let start = library.currentChangeToken
        library.add([SampleAssets.asset(1), SampleAssets.asset(2)])
        let second = library.currentChangeToken
        try library.performChangesAndWait { changes in
            try changes.edit(SampleAssets.identifier(1)) { $0.isFavorite = true }
            try changes.deleteAssets([SampleAssets.identifier(2)])
            try changes.deleteAssetsPermanently([SampleAssets.identifier(2)])
        }
        let changes = try library.fetchPersistentChanges(since: start)
        #expect(try changes.map { try $0.assetDetails().inserted.count } == [2, 0])
        let last = try #require(try library.fetchPersistentChanges(since: second).first)
        #expect(try last.assetDetails().updated == [SampleAssets.identifier(1)])
        #expect(try last.assetDetails().deleted == [SampleAssets.identifier(2)])
        #expect(last.token == library.currentChangeToken)
        library.add((10..<20).map { SampleAssets.asset($0) })
        #expect(throws: PersistentChangeError.detailsUnavailable) {
            try library.fetchPersistentChanges(since: last.token)[0].assetDetails()
        }
        for number in 100..<150 { library.add([SampleAssets.asset(number)]) }
        #expect(throws: PersistentChangeError.tokenExpired) { try library.fetchPersistentChanges(since: start) }
        #expect(throws: PersistentChangeError.tokenExpired) {
            try library.fetchPersistentChanges(since: PhotoLibrary().currentChangeToken)
        }
    }
}

extension PhotoLibrary {
    fileprivate func turnOverFavorites(_ count: Int) throws {
        try performChangesAndWait { changes in
            for number in 0..<count { try changes.edit(SampleAssets.identifier(number)) { $0.isFavorite.toggle() } }
        }
    }
}
