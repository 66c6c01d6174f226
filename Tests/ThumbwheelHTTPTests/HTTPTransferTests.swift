import Testing
import Thumbwheel

@testable import ThumbwheelHTTP

@Suite struct HTTPTransferTests {
    private let configuration = HTTPClient.Configuration { $0.retryLimit = 7 }

    @Test("pauses double up to the longest; what cannot get better is not tried again")
    func pauses() {
        var transfer = HTTPTransfer(.whole, byteLimit: 100, configuration)
        var pauses: [Duration] = []
        for _ in 0..<7 {
            _ = transfer.begin()
            if case .retry(let pause) = transfer.end(.timedOut) { pauses.append(pause) }
        }
        #expect(pauses == [0.25, 0.5, 1, 2, 4, 8, 8].map { Duration.seconds($0) })
        _ = transfer.begin()
        #expect(transfer.end(.timedOut) == .failed(.timedOut))
        var cancelled = HTTPTransfer(.whole, byteLimit: 100, configuration)
        _ = cancelled.begin()
        #expect(cancelled.end(.cancelled) == .failed(.cancelled))
    }

    @Test("the body of an answer of no use is read only as far as is worth a connection")
    func discarding() {
        var transfer = HTTPTransfer(.whole, byteLimit: 1 << 30, configuration)
        _ = transfer.begin()
        #expect(transfer.receive(HTTPAnswerHead(status: 404)) == nil)
        let piece = [UInt8](repeating: 0, count: 40_000)
        #expect(transfer.receive(piece) == nil)
        #expect(transfer.receive(piece) == .failed(.status(404)))
    }

    @Test("a server may send a range in parts, but not in any number of them")
    func parts() {
        func answers(of byteCount: Int) -> (Int, HTTPTransfer.Outcome) {
            let total = 1 << 20
            var transfer = HTTPTransfer(.part(0..<total, of: nil), byteLimit: 1 << 30, configuration)
            var offset = 0
            while true {
                _ = transfer.begin()
                var head = HTTPAnswerHead(status: 206)
                let end = min(offset + byteCount, total)
                head.contentRange = HTTPAnswerHead.ContentRange("bytes \(offset)-\(end - 1)/\(total)")
                head.validator = "\"a\""
                if let outcome = transfer.receive(head) { return (offset / byteCount, outcome) }
                _ = transfer.receive([UInt8](repeating: 0, count: end - offset))
                offset = end
                let outcome = transfer.end(nil)
                if outcome != .next { return (offset / byteCount, outcome) }
            }
        }
        let (count, outcome) = answers(of: 64)
        #expect(count <= 1024 && outcome == .failed(.invalidResponse(reason: "too many small parts")))
        guard case .done(let content) = answers(of: 4096).1 else { return #expect(Bool(false), "4 KiB are enough") }
        #expect(content.bytes.count == 1 << 20)
    }

    @Test(
        "ranges are read strictly",
        arguments: [
            ("bytes 0-4/10", 0..<5, 10), ("Bytes 3-3/*", 3..<4, nil), ("bytes */10", nil, 10),
        ] as [(String, Range<Int>?, Int?)])
    func contentRange(text: String, part: Range<Int>?, total: Int?) throws {
        let range = try #require(HTTPAnswerHead.ContentRange(text))
        #expect(range.part == part)
        #expect(range.total == total)
    }

    @Test(
        "what is no range is none",
        arguments: [
            "", "bytes", "bytes 0-4", "bytes 4-0/10", "bytes 0-10/10", "bytes -1-4/10", "bytes 0-9223372036854775807/*",
            "bytes 0-99999999999999999999/*", "items 0-4/10", "bytes 0-4/10/2", "bytes 0-4-5/10", "bytes +0-4/10",
        ])
    func noContentRange(text: String) {
        #expect(HTTPAnswerHead.ContentRange(text) == nil)
    }
}
