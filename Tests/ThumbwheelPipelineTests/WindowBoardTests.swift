import Testing
import ThumbwheelCore
import ThumbwheelScheduling

@testable import ThumbwheelPipeline

/// The board alone, without a pipeline around it.
@Suite struct WindowBoardTests {
    private typealias Rendition = TablePipeline.Rendition

    private func entry(_ asset: Int, urgency: Double, sequence: Int64 = 1) -> WindowEntries.Entry {
        let key = Rendition(asset).key
        return WindowEntries.Entry(
            key: key, rendition: key, work: .nothing(for: key.subject.asset), urgency: urgency, sequence: sequence)
    }

    @Test("a rendition is wanted as the most urgent window wants it, and no more once none does")
    func wishes() throws {
        var board = WindowBoard()
        let (one, other) = (board.open(), board.open())
        let key = Rendition(1).key
        guard case .wanted(let rank)? = board.add(entry(1, urgency: 5), to: one, readyByteCount: nil) else {
            Issue.record("a first wish that changes nothing")
            return
        }
        #expect(rank.urgency == 5 && rank.isSpeculative && rank.priority == .prefetch)
        guard case .ranked? = board.add(entry(1, urgency: 2), to: other, readyByteCount: nil) else {
            Issue.record("a more urgent wish that changes nothing")
            return
        }
        #expect(board.rank(of: key)?.urgency == 2 && board.windows(wanting: key) == [one, other])
        try board.checkInvariants { _ in nil }
        let withdrawn = board.removeEntry(key, from: other)
        let removed = try #require(withdrawn)
        guard case .ranked? = board.removeWish(for: removed, of: other, nil) else {
            Issue.record("the most urgent wish went and nothing changed")
            return
        }
        #expect(board.rank(of: key)?.urgency == 5)
        let lastWithdrawn = board.removeEntry(key, from: one)
        let last = try #require(lastWithdrawn)
        guard case .unwanted? = board.removeWish(for: last, of: one, nil) else {
            Issue.record("the last wish went and nothing changed")
            return
        }
        #expect(!board.isWanted(key) && board.rank(of: key) == nil)
        try board.checkInvariants { _ in nil }
    }

    @Test("a less urgent wish changes no rank")
    func lessUrgent() {
        var board = WindowBoard()
        let (one, other) = (board.open(), board.open())
        _ = board.add(entry(1, urgency: 2), to: one, readyByteCount: nil)
        let change = board.add(entry(1, urgency: 7), to: other, readyByteCount: nil)
        let hasChanged = change != nil
        #expect(!hasChanged)
    }

    @Test("a window counts what of it is ready, as it comes and goes")
    func ready() throws {
        var board = WindowBoard()
        let window = board.open()
        _ = board.add(entry(1, urgency: 0), to: window, readyByteCount: 300)
        _ = board.add(entry(2, urgency: 1), to: window, readyByteCount: nil)
        #expect(board.summary(of: window)?.readyCount == 1 && board.summary(of: window)?.readyByteCount == 300)
        board.noteReady(Rendition(2).key, isReady: true, byteCount: 40)
        #expect(board.summary(of: window)?.readyByteCount == 340)
        try board.checkInvariants { $0 == Rendition(1).key ? 300 : 40 }
        board.noteReady(Rendition(1).key, isReady: false, byteCount: 300)
        #expect(board.summary(of: window)?.readyCount == 1)
        // Nobody's rendition counts nowhere.
        board.noteReady(Rendition(3).key, isReady: true, byteCount: 1)
        #expect(board.summary(of: window)?.readyByteCount == 40)
        #expect(throws: BrokenInvariant.self) { try board.checkInvariants { _ in nil } }
    }
}
