import Testing
import Thumbwheel

@testable import SoakKit

@Suite struct ResultLedgerTests {
    private let complaints = Complaints()
    private let picture = SoakPicture(number: 5, format: .png)

    private func bitmap(_ picture: SoakPicture) throws -> Bitmap {
        try Renderer().render(
            MemoryByteSource(try picture.encoded()), options: RenderOptions(targetSize: .maximum)
        ).bitmap
    }

    private func ledger(_ ends: ResultLedger.Ends = []) -> (ResultLedger, ticket: Int) {
        let ledger = ResultLedger(complaints)
        return (ledger, ledger.begin(ResultLedger.Entry("a request", pictures: [picture], manager: 1, ends: ends)))
    }

    @Test("a degraded image and then the final one end a request, without a complaint")
    func ends() throws {
        let (ledger, ticket) = ledger()
        let image = try bitmap(picture)
        ledger.note(ticket, image: image, isPartial: false, isLast: false)
        #expect(ledger.openCount == 1)
        ledger.note(ticket, image: image, isPartial: false, isLast: true)
        #expect(ledger.openCount == 0)
        #expect(complaints.first == nil)
    }

    @Test("whatever comes after the end is a complaint", arguments: [true, false])
    func afterEnd(isLast: Bool) throws {
        let (ledger, ticket) = ledger()
        let image = try bitmap(picture)
        ledger.note(ticket, image: image, isPartial: false, isLast: true)
        ledger.note(ticket, image: image, isPartial: false, isLast: isLast)
        #expect(complaints.first?.rule == .resultAfterEnd)
    }

    @Test("the pixels of another picture are a complaint that names it")
    func otherPicture() throws {
        let (ledger, ticket) = ledger()
        ledger.note(ticket, image: try bitmap(SoakPicture(number: 6, format: .jpeg)), isPartial: false, isLast: false)
        #expect(complaints.first?.rule == .picture)
    }

    @Test("a request is cancelled only where somebody may have cancelled it")
    func cancellation() {
        let (ledger, ticket) = ledger()
        let other = ledger.begin(ResultLedger.Entry("another", pictures: [picture], manager: 2))
        ledger.allow(.cancelled, forAllOf: 1)
        ledger.note(ticket, failedWith: .cancelled)
        #expect(complaints.first == nil)
        ledger.note(other, failedWith: .cancelled)
        #expect(complaints.first?.rule == .wrongEnd)
    }

    @Test("a request may fail for the reasons that it has, and for no other")
    func failures() {
        let (ledger, ticket) = ledger([.networkRequired, .badBytes])
        ledger.note(ticket, failedWith: .network(.timedOut))
        #expect(complaints.first == nil)
        let (other, second) = self.ledger([.badBytes])
        other.note(second, failedWith: .deadlineExceeded)
        #expect(complaints.first?.rule == .wrongEnd)
    }

    @Test("a request made by a handler may end as its own may, and only while that is open")
    func nested() throws {
        let (ledger, ticket) = ledger()
        ledger.allow(.cancelled, for: ticket)
        let nested = try #require(ledger.begin(like: ticket))
        ledger.leave(ticket)
        ledger.note(nested, failedWith: .cancelled)
        #expect(complaints.first == nil)
        #expect(ledger.begin(like: ticket) == nil)
        #expect(ledger.oldest == nil)
    }
}
