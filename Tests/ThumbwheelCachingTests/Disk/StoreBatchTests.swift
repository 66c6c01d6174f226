import Foundation
import TestSupport
import Testing

@testable import ThumbwheelCaching

/// Values that wait for each other, so that many are written at once. The time for which they do is endless here, so nothing
/// depends on how busy the machine is.
@Suite(.endsHangs) struct StoreBatchTests {
    private let scratch: ScratchFolder
    private let calls = CountedWrites()

    init() throws { scratch = try ScratchFolder() }

    private func store(queueByteLimit: Int = 16 << 20) -> DiskStore {
        var configuration = DiskStore.Configuration(folder: scratch.path, byteLimit: 64 << 20)
        configuration.queueByteLimit = queueByteLimit
        return DiskStore(
            configuration, access: calls.access, closingTime: .seconds(3600), gatheringTime: .seconds(1_000_000))
    }

    private func put(_ numbers: Range<Int>, to store: DiskStore) {
        for number in numbers {
            #expect(store.put(StoreFixture.value(number, byteCount: 1_000), for: StoreFixture.key(number)))
        }
    }

    @Test("values that come one by one are written by one call when somebody waits for them")
    func flush() throws {
        let store = store()
        defer { store.close() }
        put(0..<100, to: store)
        #expect(store.statistics.queuedByteCount == 100_000)
        store.flush()
        #expect(calls.byteCounts == [100 * (1_000 + SegmentRecord.byteCount)])
        #expect(store.statistics.writes == 100)
    }

    @Test("a queue that is half full is written though nobody waits, and what comes meanwhile is the next batch")
    func half() throws {
        let store = store(queueByteLimit: 20_000)
        defer { store.close() }
        put(0..<10, to: store)
        while store.statistics.writes < 10, store.statistics.drops == 0 { sched_yield() }
        put(10..<15, to: store)
        #expect(store.statistics.queuedByteCount == 5_000)
        #expect(calls.byteCounts == [10 * (1_000 + SegmentRecord.byteCount)])
        put(15..<20, to: store)
        while store.statistics.writes < 20, store.statistics.drops == 0 { sched_yield() }
        #expect(store.statistics.drops == 0)
        #expect((0..<20).allSatisfy { store.value(for: StoreFixture.key($0)) != nil })
    }

    @Test("a store that is closed writes what waits")
    func close() throws {
        let first = store()
        put(0..<3, to: first)
        first.close()
        #expect(calls.byteCounts == [3 * (1_000 + SegmentRecord.byteCount)])
        let second = store()
        defer { second.close() }
        #expect((0..<3).allSatisfy { second.value(for: StoreFixture.key($0)) != nil })
    }
}
