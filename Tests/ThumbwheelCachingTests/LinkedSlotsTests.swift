import Testing
import ThumbwheelCaching
import ThumbwheelCore

@Suite struct LinkedSlotsTests {
    @Test("slots are linked at both ends and taken out anywhere")
    func linking() {
        var lists = LinkedSlots(listCount: 2)
        for _ in 0..<4 { lists.addSlot() }
        #expect(lists.last(of: 0) == nil)
        #expect(lists.slots(of: 0) == [])
        lists.linkFirst(1, into: 0)
        lists.linkFirst(0, into: 0)
        lists.linkLast(2, into: 0)
        lists.linkLast(3, into: 1)
        #expect(lists.slots(of: 0) == [0, 1, 2])
        #expect(lists.slots(of: 1) == [3])
        #expect(lists.last(of: 0) == 2)
        lists.unlink(1)
        #expect(lists.slots(of: 0) == [0, 2])
        lists.unlink(2)
        lists.unlink(0)
        #expect(lists.slots(of: 0) == [])
        #expect(lists.last(of: 0) == nil)
    }

    @Test("moving to the front keeps the others in order", arguments: 0..<4)
    func moving(slot: Int) {
        var lists = LinkedSlots(listCount: 1)
        for slot in 0..<4 {
            lists.addSlot()
            lists.linkLast(slot, into: 0)
        }
        lists.moveToFront(slot, of: 0)
        #expect(lists.slots(of: 0) == [slot] + (0..<4).filter { $0 != slot })
        #expect(lists.last(of: 0) == (slot == 3 ? 2 : 3))
    }

    @Test("random changes leave the lists that arrays would be", arguments: 0..<10)
    func randomChanges(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var lists = LinkedSlots(listCount: 3)
        var reference: [[Int]] = [[], [], []]
        var free: [Int] = []
        for slot in 0..<30 {
            lists.addSlot()
            free.append(slot)
        }
        for step in 0..<2000 {
            let list = random.index(below: 3)
            let choice = random.index(below: 4)
            if choice < 2, !free.isEmpty {
                let slot = free.remove(at: random.index(below: free.count))
                if choice == 0 {
                    lists.linkFirst(slot, into: list)
                    reference[list].insert(slot, at: 0)
                } else {
                    lists.linkLast(slot, into: list)
                    reference[list].append(slot)
                }
            } else if !reference[list].isEmpty {
                let slot = reference[list].remove(at: random.index(below: reference[list].count))
                if choice == 2 {
                    lists.unlink(slot)
                    free.append(slot)
                } else {
                    lists.moveToFront(slot, of: list)
                    reference[list].insert(slot, at: 0)
                }
            }
            for list in 0..<3 {
                #expect(lists.slots(of: list) == reference[list], "seed \(seed), step \(step)")
                #expect(lists.last(of: list) == reference[list].last, "seed \(seed), step \(step)")
            }
        }
    }
}
