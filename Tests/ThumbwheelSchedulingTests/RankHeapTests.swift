import TestSupport
import Testing
import ThumbwheelCore

@testable import ThumbwheelScheduling

@Suite struct JobRankTests {
    @Test("priority comes before stage, stage before being awaited, that before urgency, and urgency before sequence")
    func order() {
        let ranks = [
            rank(.userInitiated, .degraded, 9, 9), rank(.userInitiated, .final, -.infinity, 1),
            rank(.userInitiated, .final, 1, -7), rank(.userInitiated, .final, 1, 2),
            rank(.userInitiated, .final, .infinity, 0), rank(.prefetch, .degraded, 0, 0), rank(.prefetch, .final, 0, 0),
            JobRank(priority: .prefetch, stage: .final, isSpeculative: true, urgency: -1, sequence: 0),
            rank(.background, .final, 5, 0),
        ]
        for (index, left) in ranks.enumerated() {
            for (otherIndex, right) in ranks.enumerated() {
                #expect((left < right) == (index < otherIndex))
            }
        }
    }

    @Test("an urgency that is not a number is the least urgent, however it gets in")
    func notANumber() {
        var one = rank(.prefetch, .final, .nan, 1)
        #expect(one.urgency == .infinity)
        one.urgency = 3
        one.urgency = .nan
        #expect(one.urgency == .infinity)
        #expect(one == one)
    }
}

@Suite struct RankHeapTests {
    @Test("slots come out as sorting puts them, through insertions, removals and changes of rank", arguments: 0..<40)
    func againstSort(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var heap = RankHeap()
        var reference: [Int: JobRank] = [:]
        for step in 0..<600 {
            let slot = random.index(below: 60)
            let rank = someRank(sequence: step, &random)
            if reference[slot] == nil {
                heap.insert(slot, rank: rank)
                reference[slot] = rank
            } else if random.index(below: 2) == 0 {
                heap.setRank(rank, of: slot)
                reference[slot] = rank
            } else {
                heap.remove(slot)
                reference[slot] = nil
            }
            try heap.checkInvariants()
            let sorted = reference.sorted { $0.value < $1.value }
            #expect(heap.count == reference.count, "seed \(seed), step \(step)")
            #expect(heap.first?.slot == sorted.first?.key, "seed \(seed), step \(step)")
            #expect(heap.first?.rank == sorted.first?.value, "seed \(seed), step \(step)")
            #expect((0..<61).allSatisfy { heap.contains($0) == (reference[$0] != nil) }, "seed \(seed), step \(step)")
            #expect(reference.allSatisfy { heap.rank(of: $0.key) == $0.value }, "seed \(seed), step \(step)")
        }
        var drained: [Int] = []
        while let first = heap.first {
            drained.append(first.slot)
            heap.remove(first.slot)
            try heap.checkInvariants()
        }
        #expect(drained == reference.sorted { $0.value < $1.value }.map(\.key), "seed \(seed)")
    }

    @Test("every permutation of up to six ranks comes out in order, with any one of them taken out first")
    func permutations() {
        for count in 1...6 {
            for permutation in Permutations.all(of: count) {
                for removed in -1..<count {
                    var heap = RankHeap()
                    for (slot, urgency) in permutation.enumerated() {
                        heap.insert(slot, rank: rank(.prefetch, .final, Double(urgency), 0))
                    }
                    if removed >= 0 { heap.remove(removed) }
                    var drained: [Int] = []
                    while let first = heap.first {
                        drained.append(permutation[first.slot])
                        heap.remove(first.slot)
                    }
                    let expected = removed >= 0 ? (0..<count).filter { $0 != permutation[removed] } : Array(0..<count)
                    #expect(drained == expected)
                }
            }
        }
    }

    @Test("a heap that was long gives its room back when its last slot goes, and takes slots again")
    func room() throws {
        var heap = RankHeap()
        for slot in 0..<20_000 { heap.insert(slot, rank: rank(.background, .final, 0, Int64(slot))) }
        #expect(heap.capacity >= 20_000)
        for slot in (0..<20_000).reversed() { heap.remove(slot) }
        #expect(heap.capacity == 0)
        heap.insert(7, rank: rank(.prefetch))
        try heap.checkInvariants()
        #expect(heap.first?.slot == 7 && RankHeap.slotByteCount <= 28)
    }

    private func someRank(sequence: Int, _ random: inout SeededGenerator) -> JobRank {
        rank(
            RequestPriority.allCases[random.index(below: 3)], random.index(below: 2) == 0 ? .degraded : .final,
            Double(random.index(below: 4)), random.index(below: 2) == 0 ? Int64(sequence) : -Int64(sequence))
    }
}

func rank(
    _ priority: RequestPriority, _ stage: JobRank.Stage = .final, _ urgency: Double = 0, _ sequence: Int64 = 0
) -> JobRank {
    JobRank(priority: priority, stage: stage, urgency: urgency, sequence: sequence)
}

enum Permutations {
    static func all(of count: Int) -> [[Int]] {
        guard count > 0 else { return [[]] }
        return all(of: count - 1).flatMap { shorter in
            (0...shorter.count).map { index in
                var longer = shorter
                longer.insert(count - 1, at: index)
                return longer
            }
        }
    }
}
