import Foundation
import TestSupport
import Testing
import Thumbwheel
import ThumbwheelHTTP
import ThumbwheelLocks

private typealias Answer = LoopbackServer.Answer

/// Servers whose answers contradict their own headers: every read ends, with the file's bytes or a typed error.
@Suite(.endsHangs) struct HTTPHostileServerTests {
    private let contents = (0..<400_000).map { UInt8(truncatingIfNeeded: $0 ^ $0 >> 8) }
    private let timer = ManualTimer()

    private func client(retryLimit: Int = 0) -> HTTPClient {
        timer.firesAtOnce(.milliseconds(250))
        return HTTPClient(
            configuration: HTTPClient.Configuration {
                $0.timeout = .seconds(3600)
                $0.retryLimit = retryLimit
            },
            timer: timer.after)
    }

    private func open(_ server: LoopbackServer) throws(ByteSourceError) -> any ByteSource {
        try client().resource(at: server.url()).open()
    }

    private func expectInvalidResponse(_ body: () throws -> Void) {
        let error = #expect(throws: ByteSourceError.self, performing: body)
        guard case .network(.invalidResponse)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    /// A part of any file, with a body of any length.
    private static func part(_ text: String, tag: String = "\"1\"", _ body: [UInt8]) -> Answer {
        Answer(
            status: 206, headers: [("Content-Range", "bytes \(text)"), ("ETag", tag)], body: body, tellsLength: false)
    }

    /// The first and the last byte that the request asks for.
    private static func ends(of request: LoopbackServer.Request) -> (first: Int, last: Int) {
        let range = request["Range"] ?? "bytes=0-0"
        let ends = range.dropFirst("bytes=".count).split(separator: "-").map { Int($0) ?? 0 }
        return (ends[0], ends.count > 1 ? ends[1] : .max)
    }

    @Test("an answer longer than announced is an error, whether it exceeds its part or the file")
    func tooLong() throws {
        let contents = contents
        let small = try LoopbackServer { _ in Self.part("0-99/100", Array(contents[..<200])) }
        expectInvalidResponse { _ = try open(small) }
        let large = try LoopbackServer { _ in Self.part("0-65535/400000", contents) }
        expectInvalidResponse { _ = try open(large) }
        // The same in the middle of the file.
        let late = try LoopbackServer { request in
            request.number == 1 ? Answer.file(contents, to: request) : Self.part("65536-131071/400000", contents)
        }
        let source = try open(late)
        expectInvalidResponse { _ = try source.bytes(in: 70_000..<70_001) }
        #expect(try source.bytes(in: 0..<10) == Array(contents[..<10]))
    }

    @Test("an answer shorter than announced is an error")
    func tooShort() throws {
        let contents = contents
        let server = try LoopbackServer { _ in Self.part("0-65535/400000", Array(contents[..<500])) }
        #expect(
            throws: ByteSourceError.network(.truncated(receivedByteCount: 500, expectedByteCount: 65536))
        ) { try open(server) }
    }

    @Test("an unrequested compressed form cannot be read in parts, but can be read as a whole")
    func compressed() async throws {
        let server = try LoopbackServer { _ in
            Answer(headers: [("Content-Encoding", "gzip"), ("ETag", "\"1\"")], body: Self.compressedZeros)
        }
        expectInvalidResponse { _ = try open(server) }
        let bytes = try await client().resource(at: server.url()).fetch(upTo: .max) { _ in }
        #expect(bytes == [UInt8](repeating: 0, count: 100_000))
        await #expect(throws: ByteSourceError.network(.tooLarge(limit: 50_000))) {
            try await client().resource(at: server.url()).fetch(upTo: 50_000) { _ in }
        }
        let parts = try LoopbackServer { _ in
            let body = Self.compressedZeros
            let range = "bytes 0-\(body.count - 1)/\(body.count)"
            return Answer(status: 206, headers: [("Content-Encoding", "gzip"), ("Content-Range", range)], body: body)
        }
        expectInvalidResponse { _ = try open(parts) }
    }

    @Test("a server may send less of a range than it was asked for", arguments: [100, 16_384, 65_535], [true, false])
    func smallParts(size: Int, hasValidator: Bool) throws {
        let contents = Array(contents[..<150_000])
        let server = try LoopbackServer { request in
            let (first, last) = Self.ends(of: request)
            let end = min(first + size, last + 1, contents.count)
            let headers = [("Content-Range", "bytes \(first)-\(end - 1)/\(contents.count)")]
            return Answer(
                status: 206, headers: hasValidator ? headers + [("ETag", "\"1\"")] : headers,
                body: Array(contents[first..<end]))
        }
        let source = try open(server)
        #expect(source.byteCount == contents.count)
        #expect(try source.bytes(in: 70_000..<70_010) == Array(contents[70_000..<70_010]))
        #expect(try source.bytes() == contents)
        #expect(timer.delays.allSatisfy { $0 == .seconds(3600) })
    }

    @Test("a whole file that breaks off where a range was asked for does not continue as that range")
    func wholeInsteadOfPart() throws {
        let contents = contents
        let server = try LoopbackServer { request in
            guard request.number > 1 else {
                return Answer(headers: [("ETag", "\"1\"")], body: contents, sentByteCount: 100_000, end: .close)
            }
            // Asked for a range that ends before it begins, this server sends a hundred bytes of it.
            let (first, last) = Self.ends(of: request)
            let end = max(first + 100, min(last + 1, contents.count))
            return Self.part("\(first)-\(end - 1)/\(contents.count)", Array(contents[first..<end]))
        }
        let source = try client(retryLimit: 1).resource(at: server.url()).open()
        #expect(try source.bytes(in: 0..<70_000) == Array(contents[..<70_000]))
    }

    @Test("an interrupted file continues in parts if the server sends the rest that way")
    func restInParts() async throws {
        let contents = contents
        let server = try LoopbackServer { request in
            guard request.number > 1 else {
                return Answer(headers: [("ETag", "\"1\"")], body: contents, sentByteCount: 1000, end: .close)
            }
            let first = Self.ends(of: request).first
            let end = min(first + 100_000, contents.count)
            return Answer(
                status: 206,
                headers: [("Content-Range", "bytes \(first)-\(end - 1)/\(contents.count)"), ("ETag", "\"1\"")],
                body: Array(contents[first..<end]))
        }
        let fractions = Mutex<[Double]>([])
        let bytes = try await client(retryLimit: 1).resource(at: server.url()).fetch(upTo: .max) { fraction in
            fractions.withLock { $0.append(fraction) }
        }
        #expect(bytes == contents)
        #expect(server.requests.count == 5)
        let told = fractions.withLock(\.self)
        #expect(told == told.sorted() && told.last == 1)
    }

    @Test("parts that overlap, go back, make no progress or are tiny end in an error")
    func nonsenseParts() throws {
        let contents = contents
        let texts = [
            "0-16383/400000", "16383-32766/400000", "8000-24000/400000", "16385-30000/400000", "16384-16384/400000",
        ]
        for text in texts {
            let server = try LoopbackServer { request in
                if request.number == 1 { return Self.part("0-16383/400000", Array(contents[..<16_384])) }
                let ends = text.prefix { $0 != "/" }.split(separator: "-").map { Int($0)! }
                return Self.part(text, Array(contents[ends[0]...ends[1]]))
            }
            expectInvalidResponse { _ = try open(server) }
            #expect(server.requests.count == 2, "\(text)")
        }
        let crumbs = try LoopbackServer { _ in Self.part("0-0/1000000", [0]) }
        expectInvalidResponse { _ = try open(crumbs) }
        #expect(crumbs.requests.count == 1)
    }

    @Test("a length or entity tag that differs between parts means that the file has changed")
    func changingParts() throws {
        let contents = contents
        let seconds = [
            Self.part("16384-65535/400001", Array(contents[16_384..<65_536])),
            Self.part("16384-65535/400000", tag: "\"2\"", Array(contents[16_384..<65_536])),
            Answer(status: 416, headers: [("Content-Range", "bytes */0")]),
        ]
        for second in seconds {
            let server = try LoopbackServer { request in
                request.number == 1 ? Self.part("0-16383/400000", Array(contents[..<16_384])) : second
            }
            #expect(throws: ByteSourceError.network(.changed)) { try open(server) }
            #expect(server.requests.count == 2)
        }
    }

    @Test("a file that is gone or has another, untold length at the next read counts as changed")
    func changedLater() throws {
        let contents = contents
        let seconds = [
            Answer(status: 416, headers: [("Content-Range", "bytes */0")], body: [1, 2, 3]),
            Answer(headers: [("ETag", "\"1\"")], body: contents + [0], tellsLength: false),
            Answer(headers: [("ETag", "\"1\"")], body: contents.dropLast(), tellsLength: false),
        ]
        for second in seconds {
            let server = try LoopbackServer { $0.number == 1 ? Answer.file(contents, to: $0) : second }
            let source = try open(server)
            #expect(throws: ByteSourceError.network(.changed)) { try source.bytes(in: 100_000..<100_001) }
        }
    }

    @Test("answers that state two lengths or have endless heads are errors, and an unreadable error page is its status")
    func contradictions() async throws {
        let contents = contents
        let lengths = try LoopbackServer { _ in
            Answer(
                headers: [("Content-Length", "100"), ("Content-Length", "50")], body: Array(contents[..<50]),
                tellsLength: false)
        }
        let heads = try LoopbackServer { _ in
            Answer(headers: Array(repeating: ("X-Field", String(repeating: "a", count: 1000)), count: 100))
        }
        for server in [lengths, heads] {
            expectInvalidResponse { _ = try client(retryLimit: 3).resource(at: server.url()).open() }
            #expect(server.requests.count == 1)
        }
        let page = try LoopbackServer { _ in
            Answer(status: 404, headers: [("Content-Encoding", "utf-8")], body: Array("no".utf8))
        }
        #expect(throws: ByteSourceError.network(.status(404))) { try open(page) }
    }

    @Test("circular redirections are an error that is not retried")
    func redirections() throws {
        let server = try LoopbackServer { _ in Answer(status: 302, headers: [("Location", "/photograph.jpg")]) }
        expectInvalidResponse { _ = try client(retryLimit: 3).resource(at: server.url()).open() }
        #expect(server.requests.count < 30)
        #expect(timer.delays.allSatisfy { $0 == .seconds(3600) })
    }

    /// A hundred thousand bytes of 0, by gzip.
    private static let compressedZeros = Array(
        Data(
            base64Encoded: """
                H4sIAAAAAAACA+3BMQEAAADCoPVPbQ0PoAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\
                AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAIBXA32VEdSghgEA
                """)!)
}
