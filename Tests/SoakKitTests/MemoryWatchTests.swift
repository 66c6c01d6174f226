import Testing

@testable import SoakKit

@Suite struct MemoryWatchTests {
    private func watch(_ byteCount: (Double) -> Int) -> MemoryWatch {
        var watch = MemoryWatch()
        for place in stride(from: 0.0, through: 1.0, by: 0.005) {
            watch.add(
                MemoryWatch.Sample(place: place, liveByteCount: byteCount(place), residentByteCount: 1 << 20))
        }
        return watch
    }

    @Test("what grows while it warms up, and then goes up and down, passes")
    func flat() {
        #expect(throws: Never.self) {
            try watch { $0 < 0.15 ? Int($0 * 1e7) : 10_000_000 + Int($0 * 200) % 3 * 500_000 }.check(isLong: true)
        }
    }

    @Test("what grows by a tenth after it has warmed up is a complaint with both figures")
    func growing() {
        #expect {
            try watch { 10_000_000 + Int($0 * 1_500_000) }.check(isLong: true)
        } throws: { error in
            (error as? SoakFailure)?.rule == .memory
        }
    }

    @Test("in a short run, a tenth is no complaint yet, and twice as much is")
    func shortRun() {
        #expect(throws: Never.self) { try watch { 10_000_000 + Int($0 * 1_500_000) }.check(isLong: false) }
        #expect(throws: SoakFailure.self) { try watch { 10_000_000 + Int($0 * 15_000_000) }.check(isLong: false) }
    }

    @Test("a run of few samples says nothing")
    func short() {
        var watch = MemoryWatch()
        for place in [0.2, 0.6, 1] {
            watch.add(MemoryWatch.Sample(place: place, liveByteCount: Int(place * 1e6), residentByteCount: 1))
        }
        #expect(watch.live == nil)
        #expect(throws: Never.self) { try watch.check(isLong: true) }
    }

    @Test("however many samples there are, few are kept")
    func bounded() {
        var watch = MemoryWatch()
        for number in 0..<100_000 {
            watch.add(
                MemoryWatch.Sample(place: Double(number) / 1e5, liveByteCount: 5, residentByteCount: 5))
        }
        #expect(watch.live?.first == 5)
        #expect(watch.sampleCount < 2000)
    }
}
