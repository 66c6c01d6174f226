import Testing
import ThumbwheelCore

@Suite struct MemoryBudgetTests {
    @Test("what is reserved and released adds up, purpose by purpose")
    func accounts() {
        var budget = MemoryBudget(limit: 100)
        let image = budget.reserve(60, for: .cache)
        let render = budget.reserve(30, for: .rendering)
        #expect(budget.usedByteCount == 90)
        #expect(budget.usedByteCount(for: .cache) == 60)
        #expect(budget.usedByteCount(for: .rendering) == 30)
        budget.release(image)
        #expect(budget.usedByteCount(for: .cache) == 0)
        budget.release(render)
        #expect(budget.usedByteCount == 0)
        #expect(budget.peak == 90)
    }

    @Test("the shortage is what has to be given up before more fits")
    func shortage() {
        var budget = MemoryBudget(limit: 100)
        #expect(budget.shortage(for: 100) == 0)
        #expect(budget.shortage(for: 101) == 1)
        let reservation = budget.reserve(80, for: .cache)
        #expect(budget.shortage(for: 20) == 0)
        #expect(budget.shortage(for: 50) == 30)
        budget.setLimit(10)
        #expect(budget.shortage(for: 0) == 70)
        budget.release(reservation)
        #expect(budget.shortage(for: 0) == 0)
    }

    @Test(
        "what cannot be added up is short by all there is, and given back as it was taken",
        arguments: [Int.max, .max - 7, -1, .min])
    func oddCounts(byteCount: Int) {
        var budget = MemoryBudget(limit: 100)
        let first = budget.reserve(50, for: .cache)
        #expect(budget.shortage(for: byteCount) == (byteCount > 0 ? .max - 100 : 0))
        let odd = budget.reserve(byteCount, for: .rendering)
        let more = budget.reserve(byteCount, for: .fetching)
        #expect(budget.usedByteCount >= 50)
        for reservation in [odd, first, more] { budget.release(reservation) }
        #expect(budget.usedByteCount == 0)
    }

    @Test("the account keeps its balance through any sequence of events", arguments: 0..<4)
    func randomEvents(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var budget = MemoryBudget(limit: 1000)
        var held: [Reservation] = []
        var peak = 0
        for _ in 0..<2000 {
            if held.isEmpty || random.index(below: 5) < 3 {
                let purpose = MemoryBudget.Purpose.allCases[random.index(below: 2)]
                held.append(budget.reserve(random.index(below: 300), for: purpose))
            } else {
                budget.release(held.remove(at: random.index(below: held.count)))
            }
            let sum = held.reduce(0) { $0 + $1.byteCount }
            peak = max(peak, sum)
            #expect(budget.usedByteCount == sum, "seed \(seed)")
            #expect(budget.peak == peak, "seed \(seed)")
            let cached = held.filter { $0.purpose == .cache }.reduce(0) { $0 + $1.byteCount }
            #expect(budget.usedByteCount(for: .cache) == cached, "seed \(seed)")
        }
    }
}
