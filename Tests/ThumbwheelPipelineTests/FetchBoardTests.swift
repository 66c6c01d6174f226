import Testing
import ThumbwheelCore
import ThumbwheelScheduling

@testable import ThumbwheelPipeline

/// The board alone, without a pipeline around it.
@Suite struct FetchBoardTests {
    private var board = FetchBoard(limit: 1, byteLimit: 1 << 20)
    private var budget = MemoryBudget(limit: 1 << 20)
    private var jobs = Scheduler(workerCount: 1)

    private func part(_ asset: Int, _ extent: FetchExtent = .whole) -> FilePart {
        FilePart(TablePipeline.Rendition(asset).key.subject, extent)
    }

    private func rank(_ urgency: Double) -> JobRank {
        JobRank(priority: .userInitiated, stage: .final, urgency: urgency, sequence: 0)
    }

    private mutating func open(_ asset: Int, urgency: Double, byteCount: Int = 500) -> JobID {
        let job = jobs.add(rank: rank(urgency))
        board.add(part(asset), work: .nothing, byteCount: byteCount, rank: rank(urgency))
        board.addJob(job, to: part(asset))
        return job
    }

    private func check() throws {
        try board.checkInvariants(isInBatch: false) { jobs.rank(of: $0) }
    }

    @Test("the most urgent file comes first, and no more at once than may")
    mutating func order() throws {
        _ = open(1, urgency: 2)
        _ = open(2, urgency: 1)
        try check()
        let candidate = board.candidate(includingSpeculative: true)
        let fetch = try #require(candidate).fetch
        #expect(fetch.part == part(2) && board.expectedByteCount(of: fetch) == 500)
        let started = board.start(fetch, paidBy: budget.reserve(500, for: .fetching), at: .zero)
        let assignment = try #require(started)
        let hasAnother = board.candidate(includingSpeculative: true) != nil
        #expect(assignment.subject == part(2).picture && !hasAnother)
        #expect(board.runningCount == 1 && board.queuedCount == 1 && board.reservedByteCount == 500)
        try check()
        let end = board.endRun(assignment.id)
        let (ended, run, reservation) = try #require(end)
        #expect(run.token === assignment.token && reservation.byteCount == 500)
        board.arrived(
            FetchedBytes(source: MemoryByteSource([1, 2]), byteCount: 2), for: ended, milliseconds: 1,
            paidBy: budget.reserve(2, for: .fetching))
        #expect(board.bytes(of: part(2))?.byteCount == 2 && board.arrivedParts == [part(2)])
        let endsTwice = board.endRun(assignment.id) != nil
        #expect(!endsTwice)
        try check()
    }

    @Test("a file that lost its last job is dismissed: at once while it waits, by its token while it runs")
    mutating func unwanted() throws {
        let (waiting, running) = (open(1, urgency: 2), open(2, urgency: 1))
        let candidate = board.candidate(includingSpeculative: true)
        let fetch = try #require(candidate).fetch
        let started = board.start(fetch, paidBy: budget.reserve(500, for: .fetching), at: .zero)
        let assignment = try #require(started)
        let isWanted = [board.removeJob(waiting, from: part(1)), board.removeJob(running, from: part(2))]
        #expect(isWanted == [false, false])
        let unwanted = self
        #expect(throws: BrokenInvariant.self) { try unwanted.check() }
        var (goneCount, tokens) = (0, [CancellationToken]())
        for dismissal in board.dismissUnwanted(keeping: []) {
            switch dismissal {
            case .gone: goneCount += 1
            case .stopping(let token): tokens.append(token)
            }
        }
        #expect(goneCount == 1 && tokens.count == 1 && tokens.first === assignment.token)
        #expect(!board.contains(part(1)) && board.contains(part(2)))
        let isDismissedTwice = !board.dismissUnwanted(keeping: []).isEmpty
        #expect(!isDismissedTwice)
    }

    @Test("progress is told in steps, and never twice")
    mutating func progress() throws {
        let job = open(1, urgency: 0)
        let candidate = board.candidate(includingSpeculative: true)
        let fetch = try #require(candidate).fetch
        let started = board.start(fetch, paidBy: budget.reserve(500, for: .fetching), at: .zero)
        let id = try #require(started).id
        var told: [Double] = []
        for fraction in [0.5, 0.505, 0.4, 3, 1] {
            guard let (jobs, fraction) = board.progress(id, to: fraction) else { continue }
            #expect(jobs == [job])
            told.append(fraction)
        }
        #expect(told == [0.5, 1])
    }

    @Test("a file above the limit is expected to take nothing, and one of unknown length what others took")
    mutating func expectations() throws {
        _ = open(1, urgency: 0, byteCount: 2 << 20)
        _ = open(2, urgency: 1, byteCount: 0)
        let large = try #require(board[part(1)])
        let unknown = try #require(board[part(2)])
        #expect(board.expectedByteCount(of: large) == 0)
        #expect(board.expectedByteCount(of: unknown) == 1 << 20)
    }
}
