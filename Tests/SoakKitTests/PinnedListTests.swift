import Testing

@testable import SoakKit

@Suite struct PinnedListTests {
    @Test("a moved member follows the one that it follows in the seen list")
    func move() throws {
        var list = PinnedList([1, 2, 3, 4])
        try list.move([0], to: 2)
        #expect(list.wanted == [2, 3, 1, 4])
        // Somebody has added 5 and taken out 2.
        #expect(list.applied(to: [5, 1, 3, 4]) == [5, 3, 1, 4])
    }

    @Test("a moved member that has been taken out stays away, and a named one comes back")
    func absent() throws {
        var move = PinnedList([1, 2, 3])
        try move.move([0], to: 2)
        #expect(move.applied(to: [2, 3]) == [2, 3])
        var insertion = PinnedList([2, 3])
        try insertion.insert(1, at: 1)
        #expect(insertion.applied(to: [3]) == [1, 3])
    }

    @Test("removed members leave, and others that the seen list lacks stay")
    func removal() throws {
        var list = PinnedList([1, 2, 3])
        try list.remove([0, 2])
        #expect(list.applied(to: [9, 1, 2, 3, 8]) == [9, 2, 8])
    }

    @Test("positions beyond the end and members that are there already are refused")
    func refusals() {
        var list = PinnedList([1, 2])
        #expect(throws: Refusal.outOfRange) { try list.move([2], to: 0) }
        #expect(throws: Refusal.outOfRange) { try list.move([0], to: 2) }
        #expect(throws: Refusal.outOfRange) { try list.insert(3, at: 5) }
        #expect(throws: Refusal.duplicateAsset(2)) { try list.insert(2, at: 0) }
    }
}
