import TestSupport
import Testing
import ThumbwheelAssets
import ThumbwheelCore
import ThumbwheelFormats
import ThumbwheelRendering
import ThumbwheelScheduling

@testable import ThumbwheelPipeline

@Suite struct AlarmHeapTests {
    @Test("alarms come due in order, whatever was taken back between", arguments: 0..<20 as Range<UInt64>)
    func order(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var heap = AlarmHeap()
        var expected: [(time: Int64, id: UInt64, alarm: AlarmHeap.Alarm)] = []
        for id in 1...400 as ClosedRange<UInt64> {
            if random.index(below: 3) > 0 || expected.isEmpty {
                let time = Int64(random.index(below: 100))
                let alarm = heap.add(
                    .deadline(ImageRequestID(rawValue: id)), at: MonotonicTime(nanoseconds: time))
                expected.append((time, id, alarm))
            } else {
                heap.remove(expected.remove(at: random.index(below: expected.count)).alarm)
            }
            try heap.checkInvariants()
            #expect(heap.count == expected.count, "seed \(seed)")
        }
        for now in stride(from: 0, to: 100, by: 7) as StrideTo<Int64> {
            var due: Set<UInt64> = []
            while case .deadline(let id)? = heap.takeFirst(dueBy: MonotonicTime(nanoseconds: now)) {
                due.insert(id.rawValue)
                try heap.checkInvariants()
            }
            #expect(due == Set(expected.filter { $0.time <= now }.map(\.id)), "seed \(seed), time \(now)")
            expected.removeAll { $0.time <= now }
        }
        #expect(heap.earliest.map(\.nanoseconds) == expected.map(\.time).min())
    }
}
