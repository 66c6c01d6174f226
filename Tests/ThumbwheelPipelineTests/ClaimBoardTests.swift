import Testing
import ThumbwheelCore
import ThumbwheelScheduling

@testable import ThumbwheelPipeline

struct ClaimBoardTests {
    private static let rank = JobRank(
        priority: .userInitiated, stage: .final, isSpeculative: false, isStoppable: true, urgency: 0, sequence: 0)

    private let jobs: [JobID]
    private var board = ClaimBoard()
    private var alarms = AlarmBoard()

    init() {
        var scheduler = Scheduler(workerCount: 1)
        jobs = (0..<3).map { _ in scheduler.add(rank: Self.rank) }
    }

    private mutating func begin(_ job: JobID) -> (id: ClaimID, token: CancellationToken) {
        let (id, token) = (board.nextID(), CancellationToken())
        board.begin(id, for: job, alarm: alarms.add(.claim(id), at: .zero), token: token)
        return (id, token)
    }

    @Test("a claim that is won is held until its job takes it or leaves")
    mutating func winning() throws {
        let (id, _) = begin(jobs[0])
        #expect(board.isAsking(jobs[0]))
        let early = board.takeWon(of: jobs[0])
        #expect(early == nil)
        let claim = board.end(id, isWon: true)
        #expect(claim?.job == jobs[0])
        #expect(!board.isAsking(jobs[0]))
        #expect(board.areAllAnswered)
        let won = board.takeWon(of: jobs[0])
        #expect(won == id)
        let nothing = board.removeJob(jobs[0])
        #expect(nothing == nil)
        let (other, _) = begin(jobs[1])
        _ = board.end(other, isWon: true)
        guard case .won(let left) = board.removeJob(jobs[1]), left == other else {
            Issue.record("a claim that was won is not left to be ended")
            return
        }
        try board.checkInvariants { _ in false }
    }

    @Test("a claim whose job has left, or has waited for too long, is answered for nobody")
    mutating func leaving() throws {
        let (id, token) = begin(jobs[0])
        guard case .asked(let alarm, let left) = board.removeJob(jobs[0]) else {
            Issue.record("a claim that is asked is not left")
            return
        }
        #expect(alarm != nil && left === token)
        left.cancel()
        #expect(!board.areAllAnswered)
        try board.checkInvariants { _ in true }
        let claim = board.end(id, isWon: true)
        #expect(claim != nil && claim?.job == nil)
        let won = board.takeWon(of: jobs[0])
        #expect(won == nil)
        let (late, _) = begin(jobs[1])
        let waited = board.stopWaiting(for: late)
        #expect(waited?.job == jobs[1])
        let again = board.stopWaiting(for: late)
        #expect(again == nil)
        #expect(!board.isAsking(jobs[1]))
        _ = board.end(late, isWon: false)
        let unknown = board.end(late, isWon: false)
        #expect(unknown == nil)
        #expect(board.areAllAnswered)
    }

    @Test("claims beyond a bound are not made")
    mutating func bound() {
        var scheduler = Scheduler(workerCount: 1)
        var count = 0
        while board.hasRoom {
            _ = begin(scheduler.add(rank: Self.rank))
            count += 1
        }
        #expect(count == 256)
    }

    @Test("what is made in less than six times a look-up's time is not claimed, and nothing is claimed on a disk")
    func worth() {
        #expect(!StorageTier.disk.isWorthClaiming(roundTripMilliseconds: 0, predictedMilliseconds: .infinity))
        #expect(StorageTier.shared.isWorthClaiming(roundTripMilliseconds: 0.5, predictedMilliseconds: 3))
        #expect(!StorageTier.shared.isWorthClaiming(roundTripMilliseconds: 0.5, predictedMilliseconds: 2.9))
        #expect(!StorageTier.shared.isWorthClaiming(roundTripMilliseconds: 0, predictedMilliseconds: 0.9))
    }

    @Test("answers that say nothing of a tier's speed leave it as it is, and images too large for it are not looked up")
    func speed() throws {
        var board = LookUpBoard(tiers: [.disk, .shared])
        var alarms = AlarmBoard()
        var budget = MemoryBudget(limit: 1 << 20)
        for isMeasured in [false, true] {
            let isWaiting = board.begin(jobs[0], after: .disk, rank: Self.rank, instead: 8)
            #expect(isWaiting)
            let (id, _) = try #require(board.candidate)
            #expect(id.tier == .shared)
            board.start(
                id,
                LookUp.Run(
                    start: .zero, reservation: budget.reserve(0, for: .rendering),
                    alarm: alarms.add(.lookUp(id), at: .zero)))
            _ = board.end(id, isMeasured: isMeasured, at: .zero.advanced(by: .seconds(2)))
        }
        let isAsked = board.begin(jobs[0], after: .disk, rank: Self.rank, instead: 8)
        #expect(!isAsked)
        let isAskedAlways = {
            var board = LookUpBoard(tiers: [.shared], asksAlways: true)
            return board.begin(jobs[0], rank: Self.rank, instead: 0)
        }()
        #expect(isAskedAlways)
        var fresh = LookUpBoard(tiers: [.shared])
        let isLargeAsked = fresh.begin(jobs[0], rank: Self.rank, instead: 8) { _ in false }
        #expect(!isLargeAsked)
        #expect(StorageTier.shared.mayKeep(outputByteCount: 128 << 10, isFile: false))
        #expect(!StorageTier.shared.mayKeep(outputByteCount: 256 << 10, isFile: false))
        #expect(StorageTier.shared.mayKeep(outputByteCount: 256 << 10, isFile: true))
        #expect(StorageTier.disk.mayKeep(outputByteCount: .max, isFile: false))
    }
}
