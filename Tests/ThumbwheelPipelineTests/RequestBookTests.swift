import Testing
import ThumbwheelAssets
import ThumbwheelCore
import ThumbwheelRendering
import ThumbwheelScheduling

@testable import ThumbwheelPipeline

/// The book alone, without a pipeline around it.
@Suite struct RequestBookTests {
    private typealias Rendition = TablePipeline.Rendition

    private var jobs = Scheduler(workerCount: 1)

    private func book(
        limits: QueueLimits = QueueLimits(), servesNewestFirst: Bool = false, weighsCost: Bool = false
    ) -> RequestBook {
        RequestBook(limits: limits, servesNewestFirst: servesNewestFirst, weighsCost: weighsCost)
    }

    private func request(
        _ asset: Int = 1, _ mode: DeliveryMode = .highQuality, priority: RequestPriority = .userInitiated,
        urgency: Double = 0, wantsPreview: Bool = false, milliseconds: Double = 0, deadline: Duration? = nil
    ) -> PipelineRequest {
        PipelineRequest(
            key: Rendition(asset).key, deliveryMode: mode, priority: priority, urgency: urgency,
            wantsPreview: wantsPreview,
            work: RenderWork(
                asset: RenderWork.nothing(for: Rendition(asset).key.subject.asset).asset, predictedByteCount: 0,
                predictedMilliseconds: milliseconds),
            deadline: deadline, receiver: .none)
    }

    /// Inserts a request with a job that makes its final image.
    private mutating func insert(
        _ request: PipelineRequest, into book: inout RequestBook
    ) -> (id: ImageRequestID, slot: Int) {
        let id = book.nextID()
        let slot = book.insert(request, as: id, at: .zero)
        let rank = book.rank(of: id, for: request.key.kind)
        book.setFinalJob(jobs.add(rank: rank), of: slot)
        return (id, slot)
    }

    private func end(_ slot: Int, in book: inout RequestBook) -> PipelineDelivery? {
        book.removeFromQueue(slot)
        return book.end(slot, with: .cancelled(ImageRequestID(rawValue: 1), AssetIdentifier(high: 0, low: 1)))
    }

    /// The fractions of progress among results, and −1 for a terminal result.
    private func told(_ results: [PipelineResult]) -> [Double] {
        results.map { if case .progress(let fraction) = $0 { fraction } else { -1 } }
    }

    private func image(side: Int) -> SharedImage {
        let size = PixelSize(width: side, height: side)
        return SharedImage(
            PipelineImage(.onePixel(), ImageFacts(pixelSize: size, byteCount: 4)),
            of: Rendition(1).key.subject.asset)
    }

    // MARK: Outboxes

    @Test("a terminal result goes past an outbox that nobody drains, and into one that somebody drains")
    mutating func terminalResult() throws {
        var book = book()
        let quiet = insert(request(1), into: &book)
        let drained = insert(request(2), into: &book)
        let asksForDrainer = book.put(.progress(0.5), into: drained.slot)
        try book.checkInvariants()
        let passed = end(quiet.slot, in: &book)
        #expect(asksForDrainer && passed?.id == quiet.id && book[quiet.id] == nil)
        let kept = end(drained.slot, in: &book)
        #expect(kept == nil && book[drained.id] != nil && !book.isLive(drained.id) && book.live(drained.id) == nil)
        try book.checkInvariants()
        let results = book.takeResults(of: drained.id)
        #expect(told(results) == [0.5, -1] && book[drained.id] == nil)
        let more = book.takeResults(of: drained.id)
        #expect(more.isEmpty)
        try book.checkInvariants()
    }

    @Test("an outbox has one drainer at a time, until it finds nothing")
    mutating func drainer() throws {
        var book = book()
        let (id, slot) = insert(request(), into: &book)
        let info = ImageInfo(requestID: id, asset: Rendition(1).key.subject.asset)
        let asked = [
            book.put(.progress(0.25), into: slot), book.put(.progress(0.5), into: slot),
            book.put(.degraded(image(side: 1), info), into: slot), book.put(.progress(0.75), into: slot),
        ]
        #expect(asked == [true, false, false, false])
        // Only the latest of successive fractions counts.
        let first = book.takeResults(of: id)
        #expect(told(first) == [0.5, -1, 0.75])
        let whileDraining = book.put(.progress(1), into: slot)
        let (second, third) = (book.takeResults(of: id), book.takeResults(of: id))
        #expect(!whileDraining && told(second) == [1] && third.isEmpty)
        try book.checkInvariants()
        let afterwards = book.put(.progress(1), into: slot)
        #expect(afterwards)
    }

    // MARK: Order

    @Test("requests of equal urgency go in order of arrival, or the newest first", arguments: [false, true])
    mutating func order(servesNewestFirst: Bool) {
        var book = book(servesNewestFirst: servesNewestFirst)
        let ids = (1...3).map { insert(request($0), into: &book).id }
        #expect(ids == ids.sorted() && book.lastID == ids[2] && book.ids == ids)
        let byRank = ids.sorted { book.rank(of: $0, for: .high) < book.rank(of: $1, for: .high) }
        #expect(byRank == (servesNewestFirst ? ids.reversed() : ids))
    }

    @Test("cost counts against the urgency of visible final images, and of nothing else")
    mutating func cost() {
        var (weighing, plain) = (book(weighsCost: true), book())
        func urgency(_ book: RequestBook, _ id: ImageRequestID, _ kind: RenditionKey.Kind = .high) -> Double {
            book.rank(of: id, for: kind).urgency
        }
        let visible = request(urgency: 10, milliseconds: 64)
        let (id, slot) = insert(visible, into: &weighing)
        let plainID = insert(visible, into: &plain).id
        #expect(urgency(weighing, id) > 10 && urgency(weighing, id, .preview) == 10 && urgency(plain, plainID) == 10)
        #expect(weighing.rank(of: id, for: .preview).stage == .degraded)
        let former = urgency(weighing, id)
        weighing.setPredictedMilliseconds(1, of: slot)
        #expect(urgency(weighing, id) < former)
        weighing.setPriority(.prefetch, urgency: 7, of: slot)
        #expect(urgency(weighing, id) == 7 && weighing.rank(of: id, for: .high).priority == .prefetch)
    }

    @Test("requests are gone through in pieces, those that came later left out")
    mutating func pieces() {
        var book = book()
        let ids = (1...300).map { insert(request($0), into: &book).id }
        var (seen, place) = ([ImageRequestID](), Int?.none)
        repeat {
            let piece = book.ids(through: ids[199], from: place, atMost: 64)
            #expect(piece.ids.count <= 64)
            seen += piece.ids
            place = piece.place
        } while place != nil
        #expect(seen.map(\.rawValue).sorted() == Array(1...200))
    }

    // MARK: Limits

    /// A priority for `afterShedding`, and nil for `refused`.
    private enum Answer: Equatable {
        case admitted
        case shedding(RequestPriority?)
    }

    private func answer(_ book: RequestBook, to request: PipelineRequest) -> Answer {
        switch book.admission(of: request) {
        case .admitted: .admitted
        case .afterShedding(let priority): .shedding(priority)
        case .refused: .shedding(nil)
        }
    }

    @Test("beyond a count the oldest of the same priority makes way; visible requests are let in")
    mutating func count() throws {
        let limits = QueueLimits(userInitiated: 1, prefetch: 2)
        var book = book(limits: limits)
        let first = insert(request(1, priority: .prefetch), into: &book)
        let second = insert(request(2, priority: .prefetch), into: &book)
        _ = insert(request(3), into: &book)
        #expect(answer(book, to: request(4)) == .admitted)
        #expect(answer(book, to: request(4, priority: .background)) == .admitted)
        #expect(answer(book, to: request(4, priority: .prefetch)) == .shedding(.prefetch))
        #expect(book.oldest(of: .prefetch) == first.slot && !book.hasExcess(of: .prefetch))
        book.renew(first.slot)
        #expect(book.oldest(of: .prefetch) == second.slot)
        let third = insert(request(5, priority: .background), into: &book)
        book.setPriority(.prefetch, urgency: 0, of: third.slot)
        #expect(book.hasExcess(of: .prefetch) && book.oldest(of: .background) == nil)
        #expect(throws: BrokenInvariant.self) { try book.checkInvariants() }
        let gone = end(second.slot, in: &book)
        #expect(gone?.id == second.id && !book.hasExcess(of: .prefetch))
        try book.checkInvariants()
    }

    @Test("where memory ends, the oldest of the lowest priority makes way, never for one less urgent")
    mutating func memory() throws {
        var book = book(limits: QueueLimits(byteCount: 4 * RequestBook.waitingByteCount))
        for asset in 1...2 { _ = insert(request(asset), into: &book) }
        let prefetch = insert(request(3, priority: .prefetch), into: &book)
        #expect(answer(book, to: request(4)) == .admitted)
        // A request that waits for a preview as well weighs twice as much.
        #expect(answer(book, to: request(4, .opportunistic, wantsPreview: true)) == .shedding(.prefetch))
        #expect(answer(book, to: request(4, .highQuality, wantsPreview: true)) == .admitted)
        _ = insert(request(4), into: &book)
        #expect(answer(book, to: request(5)) == .shedding(.prefetch))
        #expect(answer(book, to: request(5, priority: .prefetch)) == .shedding(.prefetch))
        #expect(answer(book, to: request(5, priority: .background)) == .shedding(nil))
        let gone = end(prefetch.slot, in: &book)
        #expect(gone != nil)
        _ = insert(request(5), into: &book)
        #expect(answer(book, to: request(6)) == .shedding(.userInitiated))
        #expect(answer(book, to: request(6, priority: .prefetch)) == .shedding(nil))
        try book.checkInvariants()
    }

    @Test("a book that refuses the newest sheds nothing, whatever the priority")
    mutating func refusal() {
        var book = book(limits: QueueLimits(userInitiated: 1, prefetch: 1, overflow: .rejectsNewest))
        for priority in [RequestPriority.userInitiated, .prefetch] {
            #expect(answer(book, to: request(priority: priority)) == .admitted)
            _ = insert(request(priority: priority), into: &book)
            #expect(answer(book, to: request(priority: priority)) == .shedding(nil))
            #expect(!book.hasExcess(of: priority))
        }
    }

    @Test("the storage of many requests is given back once none is left")
    mutating func storage() throws {
        var book = book()
        let count = PipelineState.keptCapacity + 1
        let slots = (1...count).map { insert(request($0), into: &book).slot }
        #expect(book.capacity >= count)
        let early = book.shrink()
        for slot in slots { _ = end(slot, in: &book) }
        let late = book.shrink()
        #expect(early == 0 && late == count && book.capacity == 0)
        _ = insert(request(), into: &book)
        try book.checkInvariants()
    }

    // MARK: What must hold

    @Test("a request needs a job, and a deadline its alarm, for as long as it lives")
    mutating func ties() throws {
        var book = book()
        var alarms = AlarmBoard()
        let (id, slot) = insert(request(deadline: .seconds(1)), into: &book)
        #expect(throws: BrokenInvariant.self) { try book.checkInvariants() }
        book.setAlarm(alarms.add(.deadline(id), at: MonotonicTime(nanoseconds: 1)), of: slot)
        try book.checkInvariants()
        let job = book[slot: slot].finalJob
        book.setFinalJob(nil, of: slot)
        #expect(throws: BrokenInvariant.self) { try book.checkInvariants() }
        // Without a final image there must be a degraded one to come.
        book.markLackingNetworkAccess(slot)
        book.setDegradedJob(job, of: slot)
        book.noteDegradedImage(of: 400, to: slot)
        try book.checkInvariants()
        #expect(book[slot: slot].degradedPixelCount == 400 && book[slot: slot].alarmAndJobs.degradedJob == job)
        _ = book.put(.progress(0), into: slot)
        _ = end(slot, in: &book)
        let ended = try #require(book[id])
        #expect(ended.alarm == nil && ended.degradedJob == nil && ended.hasEnded)
        try book.checkInvariants()
    }
}
