import Testing
import ThumbwheelCore
import ThumbwheelRendering
import ThumbwheelScheduling

@testable import ThumbwheelPipeline

/// The board alone, without a pipeline around it.
@Suite struct RenderBoardTests {
    private typealias Rendition = TablePipeline.Rendition

    private var board = RenderBoard(workerCount: 2)
    private var budget = MemoryBudget(limit: 1 << 20)
    private var alarms = AlarmBoard()
    private let memoryClass = RenderWork.MemoryClass(decoder: .jpeg, isProgressive: false, eighths: 4)

    private func work(
        _ rendition: Rendition, bytes: Int = 1000, milliseconds: Double = 100, isStoppable: Bool = true
    ) -> RenderWork {
        RenderWork(
            asset: RenderWork.nothing(for: rendition.key.subject.asset).asset, predictedByteCount: bytes,
            outputByteCount: bytes / 2, predictedMilliseconds: milliseconds, decodeEighths: 4, isStoppable: isStoppable,
            assistanceByteCount: 10,
            memoryClass: memoryClass)
    }

    private func rank(_ urgency: Double, _ priority: RequestPriority = .userInitiated) -> JobRank {
        JobRank(priority: priority, stage: .final, urgency: urgency, sequence: 0)
    }

    private func decode(eighths: Int = 4) -> SharedDecode {
        SharedDecode(
            kind: .high, eighths: eighths, hasFineChroma: false, hasFile: false, isSpeculative: false,
            outputByteCount: 500, workingByteCount: 500)
    }

    private mutating func add(
        _ rendition: Rendition, urgency: Double = 0, _ priority: RequestPriority = .userInitiated,
        isStoppable: Bool = true
    ) -> JobID {
        board.add(
            rendition.key, work: work(rendition, isStoppable: isStoppable), rank: rank(urgency, priority),
            subscribers: Subscribers())
    }

    @discardableResult
    private mutating func start(
        _ id: JobID, sharing decode: SharedDecode? = nil, with companions: [JobID] = [], at time: MonotonicTime = .zero
    ) -> PipelineState.Job.Run {
        board.start(
            id, from: .photograph, sharing: decode, with: companions, paidBy: budget.reserve(100, for: .rendering),
            alarm: alarms.add(.timeLimit(id), at: time), at: time)
    }

    // MARK: Jobs

    @Test("the most urgent job comes first, runs once, and is forgotten when its worker is done")
    mutating func life() throws {
        let (late, early) = (add(Rendition(1), urgency: 2), add(Rendition(2), urgency: 1))
        #expect(board.candidate(includingSpeculative: true) == early && board.queuedCount == 2)
        #expect(board[Rendition(1).key] == late && board.jobs(of: Rendition(2).key.subject.asset) == [early])
        let run = start(early)
        #expect(board.isRunning(early) && board.runningCount == 1 && board.hasIdleWorker)
        #expect(board.reservedByteCount == 100 && board.state(of: early) == .running(worker: run.worker))
        try board.checkInvariants()
        board.stop(early)
        #expect(!board.isRunning(early))
        let ended = board.endRun(of: early)
        #expect(ended?.renderNumber == run.renderNumber && ended?.token === run.token)
        let endsTwice = board.endRun(of: early) != nil
        #expect(!endsTwice)
        // Its worker has not been freed yet.
        #expect(throws: BrokenInvariant.self) { try board.checkInvariants() }
        board.requeue(early)
        try board.checkInvariants()
        let next = start(early)
        #expect(next.renderNumber == run.renderNumber + 1)
        _ = board.endRun(of: early)
        board.retire(early)
        #expect(!board.contains(early) && board[Rendition(2).key] == nil && board.runningCount == 0)
        board.removeQueued(late)
        #expect(board.isEmpty)
        try board.checkInvariants()
    }

    @Test("a parked job is no candidate, and keeps its rank")
    mutating func parking() throws {
        let (first, second) = (add(Rendition(1), urgency: 1), add(Rendition(2), urgency: 2))
        board.park(first)
        #expect(board.candidate(includingSpeculative: true) == second && board.state(of: first) == .parked)
        board.setRank(rank(3), of: first)
        board.unpark(first)
        #expect(board.candidate(includingSpeculative: true) == second && board.rank(of: first).urgency == 3)
        try board.checkInvariants()
    }

    @Test("a job knows its subscribers, and what is made of a forgotten asset is not kept")
    mutating func subscribers() {
        let job = add(Rendition(1))
        let other = add(Rendition(2))
        let ids = (1...2).map { ImageRequestID(rawValue: $0) }
        let equal = rank(0)
        for id in ids { board.addSubscriber(id, to: job) { _ in equal } }
        let isRemoved = [board.removeSubscriber(ids[0], from: job), board.removeSubscriber(ids[0], from: job)]
        #expect(isRemoved == [true, false] && Array(board[job].subscribers.inOrder) == [ids[1]])
        board.removeSubscribers(of: job)
        #expect(board[job].subscribers.isEmpty)
        board.forbidCaching(of: Rendition(1).key.subject.asset)
        #expect(!board[job].mayBeCached && board[other].mayBeCached)
    }

    @Test("a prefetch must not run in front of a visible job")
    mutating func preemption() throws {
        let prefetches = [add(Rendition(1), .prefetch), add(Rendition(2), .prefetch)]
        for job in prefetches { start(job) }
        _ = add(Rendition(3))
        #expect(board.preemption == prefetches[1] && board.preemptionForMemory == prefetches[1])
        let broken = board
        #expect(throws: BrokenInvariant.self) { try broken.checkInvariants() }
        board.stop(prefetches[1])
        #expect(board.preemption == nil && board.preemptionForMemory == nil)
        try board.checkInvariants()
    }

    // MARK: Shared decodes

    @Test("the queued jobs of one picture are companions, the most urgent first, and wait for its decode")
    mutating func companions() throws {
        let lead = add(Rendition(1, side: 100), urgency: 1)
        let others = [add(Rendition(1, side: 200), urgency: 3), add(Rendition(1, side: 300), urgency: 2)]
        let parked = add(Rendition(1, side: 400))
        board.park(parked)
        let stranger = add(Rendition(2))
        #expect(board.hasSiblings(board[lead]) && !board.hasSiblings(board[stranger]))
        #expect(board.companionCandidates(for: board[lead]).map(\.id) == [others[1], others[0]])
        for job in others { board.join(job, to: lead) }
        #expect(others.allSatisfy { board.state(of: $0) == .parked && board[$0].sharesDecode && board[$0].isUnderWay })
        // The lead does not run yet: they wait for a decode that knows nothing of them.
        let early = board
        #expect(throws: BrokenInvariant.self) { try early.checkInvariants() }
        start(lead, sharing: decode(), with: others)
        #expect(board[lead].sharesDecode && board[lead].run?.members == others)
        try board.checkInvariants()
        let run = board.endRun(of: lead)
        #expect(run?.companions == others)
        for job in [lead] + others { board.retire(job) }
        #expect(board.queuedCount == 1 && board.runningCount == 0 && board.contains(parked))
        try board.checkInvariants()
    }

    @Test("a decode that has only begun begins again for a latecomer, twice at most")
    mutating func restart() throws {
        let lead = add(Rendition(1, side: 100))
        start(lead, sharing: decode())
        let late = add(Rendition(1, side: 200))
        let (soon, later) = (
            MonotonicTime.zero.advanced(byMilliseconds: 24), MonotonicTime.zero.advanced(by: .seconds(1))
        )
        func leadToRestart(_ board: RenderBoard, at time: MonotonicTime) -> JobID? {
            board.decodeToRestart(for: board[late], joining: decode(eighths: 8), at: time)
        }
        #expect(leadToRestart(board, at: soon) == lead && leadToRestart(board, at: later) == nil)
        board.joinLate(late, to: lead)
        board.stop(lead, restarts: true)
        #expect(board[lead].run?.latecomers == [late] && board[late].lead == lead)
        // The decode stops in any case: whoever comes now joins at no cost.
        #expect(leadToRestart(board, at: later) == lead)
        try board.checkInvariants()
        let run = board.endRun(of: lead)
        board.requeue(lead)
        for job in run?.members ?? [] { board.requeueMember(job, restartCount: 1) }
        board.countRestart(of: lead)
        #expect(board[lead].restartCount == 1 && board[late].restartCount == 1 && board[late].lead == nil)
        #expect(board.state(of: late) == .queued)
        try board.checkInvariants()
        board.countRestart(of: lead)
        start(lead, sharing: decode())
        #expect(leadToRestart(board, at: soon) == nil)
    }

    @Test("a decode that cannot be stopped does not begin again")
    mutating func unstoppable() {
        let lead = add(Rendition(1, side: 100), isStoppable: false)
        start(lead, sharing: decode())
        let late = add(Rendition(1, side: 200))
        #expect(board.decodeToRestart(for: board[late], joining: decode(), at: .zero) == nil)
    }

    @Test("latecomers leave a render that has run for too long")
    mutating func overdue() {
        let lead = add(Rendition(1, side: 100))
        start(lead, sharing: decode())
        let late = add(Rendition(1, side: 200))
        board.joinLate(late, to: lead)
        let alarm = alarms.add(.timeLimit(lead), at: .zero)
        let latecomers = board.markOverdue(lead, alarm: alarm)
        #expect(latecomers == [late] && board[lead].run?.isOverdue == true && board[lead].run?.alarm == alarm)
        #expect(board[lead].run?.members.isEmpty == true)
    }

    // MARK: Packing and memory

    @Test("a packing takes a worker as a job does, and ends once")
    mutating func packing() throws {
        let image = PipelineImage(
            .onePixel(), ImageFacts(pixelSize: PixelSize(width: 1, height: 1), byteCount: 4))
        let input = RenderInput(Rendition(1).key, SharedImage(image, of: Rendition(1).key.subject.asset))
        let (_, packing) = board.startPacking(
            input, into: .packed, rank: rank(0, .background), paidBy: budget.reserve(7, for: .rendering))
        #expect(board.runningCount == 1 && !board.isEmpty && board.reservedByteCount == 7)
        #expect(board[Rendition(1).key] == nil)
        let job = add(Rendition(2))
        start(job)
        _ = add(Rendition(3))
        #expect(board.preemption == packing.id)
        let (none, ended) = (board.endPacking(job), board.endPacking(packing.id))
        let isOver = board.endPacking(packing.id) == nil
        #expect(none == nil && ended?.token === packing.token && isOver && board.packing == nil)
        try board.checkInvariants()
    }

    @Test("a prediction learns from renders by the decoder that was expected, and counts an idle worker's help")
    mutating func predictions() {
        let job = add(Rendition(1))
        let run = start(job)
        func image(by decoder: RenderedImage.Decoder) -> [Result<PipelineImage, ImageRequestError>] {
            let facts = ImageFacts(pixelSize: PixelSize(width: 1, height: 1), byteCount: 4, decoder: decoder)
            return [.success(PipelineImage(.onePixel(), facts))]
        }
        // One of two workers runs: nobody is left to help.
        #expect(board.predictedByteCount(of: work(Rendition(1)), for: .high) == 1000)
        board.correctPrediction(for: board[job], run, with: image(by: .vips), measured: 3000)
        board.correctPrediction(for: board[job], run, with: [.failure(.cancelled)], measured: 3000)
        #expect(board.predictedByteCount(of: work(Rendition(1)), for: .high) == 1000)
        board.correctPrediction(for: board[job], run, with: image(by: .jpeg), measured: 3000)
        #expect(board.predictedByteCount(of: work(Rendition(1)), for: .high) == 3000)
        #expect(board.predictedByteCount(of: work(Rendition(1)), for: .high, sharing: decode()) == 3000)
        let previewByteCount = board.predictedByteCount(of: work(Rendition(1)), for: .preview)
        _ = board.endRun(of: job)
        board.retire(job)
        #expect(board.predictedByteCount(of: work(Rendition(1)), for: .high) == 3010)
        #expect(board.predictedByteCount(of: work(Rendition(1)), for: .preview) == previewByteCount)
    }

    @Test("the storage of many jobs is given back once none is left")
    mutating func storage() throws {
        let count = PipelineState.keptCapacity + 1
        let jobs = (1...count).map { add(Rendition($0)) }
        let early = board.shrink()
        for job in jobs { board.removeQueued(job) }
        let (late, again) = (board.shrink(), board.shrink())
        #expect(early == 0 && late == count && again == 0)
        let job = add(Rendition(1))
        #expect(!jobs.contains(job))
        try board.checkInvariants()
    }
}
