import Testing
import ThumbwheelCore
import ThumbwheelScheduling

@testable import ThumbwheelPipeline

struct LookUpBoardTests {
    private static let rank = JobRank(
        priority: .userInitiated, stage: .final, isSpeculative: false, isStoppable: true, urgency: 0, sequence: 0)

    /// Identifiers of jobs, as a scheduler gives them.
    private var jobs: [JobID] {
        var scheduler = Scheduler(workerCount: 1)
        return (0..<8).map { _ in scheduler.add(rank: Self.rank) }
    }

    private var budget = MemoryBudget(limit: 1 << 20)

    private func run(at now: MonotonicTime, alarms: inout AlarmBoard, _ id: LookUpID) -> LookUp.Run {
        var budget = budget
        return LookUp.Run(
            start: now, reservation: budget.reserve(0, for: .rendering),
            alarm: alarms.add(.lookUp(id), at: now.advanced(by: .milliseconds(250))))
    }

    @Test("as many look-ups run as a tier allows, and the others wait")
    func limit() {
        var board = LookUpBoard(tiers: [.disk])
        var alarms = AlarmBoard()
        for job in jobs {
            let isWaiting = board.begin(job, rank: Self.rank, instead: 8)
            #expect(isWaiting)
        }
        var started: [LookUpID] = []
        while let (id, _) = board.candidate {
            board.start(id, run(at: .zero, alarms: &alarms, id))
            started.append(id)
        }
        #expect(started.count == StorageTier.disk.lookUpLimit)
        let ended = board.end(started[0], at: .zero.advanced(by: .milliseconds(1)))
        #expect(ended?.job == jobs[0])
        #expect(board.candidate != nil)
    }

    @Test("a job that leaves before its turn is not looked up, and one that leaves later is answered for nobody")
    func leaving() throws {
        var board = LookUpBoard(tiers: [.disk])
        var alarms = AlarmBoard()
        do {
            let isWaiting = board.begin(jobs[0], rank: Self.rank, instead: 8)
            #expect(isWaiting)
        }
        board.removeJob(jobs[0])
        #expect(board.isEmpty)
        do {
            let isWaiting = board.begin(jobs[1], rank: Self.rank, instead: 8)
            #expect(isWaiting)
        }
        let (id, _) = try #require(board.candidate)
        board.start(id, run(at: .zero, alarms: &alarms, id))
        board.removeJob(jobs[1])
        #expect(!board.isEmpty)
        let ended = board.end(id, at: .zero)
        #expect(ended != nil && ended?.job == nil)
        #expect(board.isEmpty)
    }

    @Test("a tier whose look-ups all hang is not asked until one of them is answered")
    func hanging() throws {
        var board = LookUpBoard(tiers: [.disk])
        var alarms = AlarmBoard()
        for job in jobs.prefix(3) {
            let isWaiting = board.begin(job, rank: Self.rank, instead: 8)
            #expect(isWaiting)
        }
        var started: [LookUpID] = []
        while let (id, _) = board.candidate {
            board.start(id, run(at: .zero, alarms: &alarms, id))
            started.append(id)
        }
        var budget = budget
        for id in started {
            let (job, _) = board.markTimedOut(id, leaving: budget.reserve(0, for: .rendering))
            #expect(job != nil)
        }
        #expect(board.isHanging(.disk))
        do {
            let isWaiting = board.begin(jobs[4], rank: Self.rank, instead: 8)
            #expect(!isWaiting)
        }
        #expect(board.waitingJobs(in: .disk).count == 1)
        _ = board.end(started[0], at: .zero.advanced(by: .seconds(9)))
        #expect(!board.isHanging(.disk))
        do {
            let isWaiting = board.begin(jobs[4], rank: Self.rank, instead: 20_000)
            #expect(isWaiting)
        }
    }

    @Test("claims are judged by the quickest of the latest look-ups, because a busy machine delays the others")
    func roundTrip() throws {
        var board = LookUpBoard(tiers: [.shared])
        var alarms = AlarmBoard()
        func lookUp(_ milliseconds: Double) throws {
            _ = board.begin(jobs[0], rank: Self.rank, instead: 1_000)
            let (id, _) = try #require(board.candidate)
            board.start(id, run(at: .zero, alarms: &alarms, id))
            _ = board.end(id, at: .zero.advanced(byMilliseconds: milliseconds))
        }
        // A slow first answer alone tells nothing; the second one does.
        try lookUp(20)
        #expect(board.isWorthClaiming(.shared, instead: 5))
        try lookUp(20)
        #expect(!board.isWorthClaiming(.shared, instead: 100))
        for number in 0..<32 { try lookUp(number % 4 == 0 ? 0.3 : 20) }
        #expect(board.isWorthClaiming(.shared, instead: 5))
        #expect(!board.isWorthClaiming(.shared, instead: 1.5))
        for _ in 0..<16 { try lookUp(20) }
        #expect(!board.isWorthClaiming(.shared, instead: 100))
        #expect(board.isWorthClaiming(.shared, instead: 130))
    }

    @Test("a tier that is slower than rendering is asked for one rendition in 64")
    func slowness() throws {
        var board = LookUpBoard(tiers: [.disk])
        var alarms = AlarmBoard()
        do {
            let isWaiting = board.begin(jobs[0], rank: Self.rank, instead: 8)
            #expect(isWaiting)
        }
        let (id, _) = try #require(board.candidate)
        board.start(id, run(at: .zero, alarms: &alarms, id))
        _ = board.end(id, at: .zero.advanced(by: .seconds(2)))
        var askedCount = 0
        for _ in 0..<640 where board.begin(jobs[1], rank: Self.rank, instead: 8) {
            askedCount += 1
            board.removeJob(jobs[1])
        }
        #expect(askedCount == 10)
        // What takes longer to render than to look up is looked up.
        do {
            let isWaiting = board.begin(jobs[1], rank: Self.rank, instead: 300)
            #expect(isWaiting)
        }
    }
}
