import TestSupport
import Testing
import Thumbwheel

@testable import ThumbwheelGrid

@Suite struct GridDeliveriesTests {
    private let log = ResultLog()
    private let deliveries: GridDeliveries

    init() {
        deliveries = GridDeliveries { [log] item, result in log.handler(item)(result) }
    }

    private var final: ImageResult { .final(bitmap(side: 7), info) }
    private var degraded: ImageResult { .degraded(bitmap(side: 3), info) }
    private var info: ImageInfo {
        ImageInfo(requestID: ImageRequestID(rawValue: 1), asset: Pictures.asset(1).identifier)
    }

    private func bitmap(side: Int) -> Bitmap {
        Bitmap(size: PixelSize(width: side, height: side), format: .rgb) { _ in }
    }

    @Test("after its end a ticket gets nothing, though its image was on the way, and whoever comes back has another")
    func end() {
        let ticket = deliveries.issueTicket(forItem: 5)
        deliveries.deliver(degraded, for: ticket)
        deliveries.deliver(.cancelled(ImageInfo(cancelled: AssetIdentifier(high: 0, low: 1))), for: ticket)
        deliveries.deliver(degraded, for: ticket)
        deliveries.deliver(final, for: ticket)
        #expect(log.entries(5) == [.degraded(side: 3), .cancelled])
        let next = deliveries.issueTicket(forItem: 6)
        deliveries.deliver(final, for: next)
        #expect(log.entries(6) == [.final(side: 7)])
        #expect(log.violations == [])
    }

    @Test("under other numbers results go to the new ones, and whose item is gone hears nothing more")
    func renumbering() {
        let (kept, removed) = (deliveries.issueTicket(forItem: 1), deliveries.issueTicket(forItem: 2))
        deliveries.renumber([0: kept])
        for ticket in [kept, removed] { deliveries.deliver(final, for: ticket) }
        #expect(log.entries(0) == [.final(side: 7)])
        #expect(log.entries(1).isEmpty && log.entries(2).isEmpty)
    }
}
