import Foundation
import TestSupport
import Testing
import Thumbwheel
import ThumbwheelHTTP
import ThumbwheelLocks

private typealias Answer = LoopbackServer.Answer

/// Whole files from a real server that does not always do as it should.
@Suite(.endsHangs) struct HTTPFetchTests {
    private let timer = ManualTimer()
    private let contents = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 ^ $0 >> 8) }
    private static let timeout = Duration.seconds(3600)
    private static let delays: [Duration] = [.milliseconds(250), .milliseconds(500), .seconds(1)]

    /// Pauses between attempts are over at once; the timeout waits to be fired.
    private func client(retryLimit: Int = 3, headers: [String: String] = [:]) -> HTTPClient {
        timer.firesAtOnce(Self.delays[0], Self.delays[1], Self.delays[2])
        return HTTPClient(
            configuration: HTTPClient.Configuration {
                $0.timeout = Self.timeout
                $0.retryLimit = retryLimit
                $0.headers = headers
            },
            timer: timer.after)
    }

    private func fetch(
        _ server: LoopbackServer, _ client: HTTPClient, upTo limit: Int = .max,
        progress: @escaping @Sendable (Double) -> Void = { _ in }
    ) async throws(ByteSourceError) -> [UInt8] {
        try await client.resource(at: server.url()).fetch(upTo: limit, progress: progress)
    }

    private var pauses: [Duration] { timer.delays.filter { $0 != Self.timeout } }

    @Test("a file comes whole, with its progress, and the next ones over the same connection")
    func plain() async throws {
        let contents = contents
        let server = try LoopbackServer { Answer.file(contents, to: $0) }
        let fractions = Mutex<[Double]>([])
        let client = client(headers: ["X-Key": "secret"])
        for _ in 0..<3 {
            let bytes = try await fetch(server, client) { fraction in fractions.withLock { $0.append(fraction) } }
            #expect(bytes == contents)
        }
        #expect(server.connectionCount == 1)
        #expect(server.requests.allSatisfy { $0["Accept-Encoding"] == "identity" && $0["X-Key"] == "secret" })
        #expect(fractions.withLock { $0.last } == 1)
        #expect(pauses == [])
    }

    @Test(
        "what fails for a moment is tried again, after pauses that double", arguments: [408, 429, 500, 502, 503, 504])
    func passingFailure(status: Int) async throws {
        let contents = contents
        let server = try LoopbackServer { request in
            request.number < 4
                ? Answer(status: status, body: Array("later".utf8)) : Answer.file(contents, to: request)
        }
        #expect(try await fetch(server, client()) == contents)
        #expect(pauses == Self.delays)
        #expect(server.connectionCount == 1)
    }

    @Test("what goes on failing is the error, by its status", arguments: [404, 403, 410, 501, 500])
    func lastingFailure(status: Int) async throws {
        let server = try LoopbackServer { _ in Answer(status: status, body: Array("no".utf8)) }
        await #expect(throws: ByteSourceError.network(.status(status))) { try await fetch(server, client()) }
        #expect(server.requests.count == (status == 500 ? 4 : 1))
    }

    @Test("a server that asks for patience gets it, unless it asks for too much")
    func retryAfter() async throws {
        let contents = contents
        let server = try LoopbackServer { request in
            request.number == 1
                ? Answer(status: 503, headers: [("Retry-After", "2")]) : Answer.file(contents, to: request)
        }
        timer.firesAtOnce(.seconds(2))
        #expect(try await fetch(server, client()) == contents)
        #expect(pauses == [.seconds(2)])
        let busy = try LoopbackServer { _ in Answer(status: 503, headers: [("Retry-After", "3600")]) }
        await #expect(throws: ByteSourceError.network(.status(503))) { try await fetch(busy, client()) }
        #expect(busy.requests.count == 1)
    }

    @Test("an answer cut short goes on where it ended", arguments: [Answer.End.close, .reset])
    func resumed(end: LoopbackServer.Answer.End) async throws {
        let contents = contents
        let server = try LoopbackServer { request in
            var answer = Answer.file(contents, to: request)
            if request.number == 1 { (answer.sentByteCount, answer.end) = (100_000, end) }
            return answer
        }
        #expect(try await fetch(server, client()) == contents)
        #expect(server.requests.count == 2)
        // A reset may take with it what the other side had not read yet.
        let first = server.requests[1]["Range"].flatMap { Int($0.dropFirst("bytes=".count).dropLast()) }
        #expect(end == .close ? first == 100_000 : first == nil || first! <= 100_000)
    }

    @Test("the rest of a file that has changed, or has no strong validator, is never joined to its beginning")
    func changedWhileResumed() async throws {
        let (old, new) = (contents, Array(contents.reversed()))
        for tags in [("\"1\"", "\"2\""), ("W/\"1\"", "W/\"1\""), (nil, nil)] as [(String?, String?)] {
            let server = try LoopbackServer { request in
                guard request.number == 1 else { return Answer.file(new, tag: tags.1, to: request) }
                var answer = Answer.file(old, tag: tags.0, to: request)
                (answer.sentByteCount, answer.end) = (100_000, .close)
                return answer
            }
            #expect(try await fetch(server, client()) == new)
        }
        // A server that sends the rest of another file all the same.
        let careless = try LoopbackServer { request in
            guard request.number > 1 else {
                return Answer(headers: [("ETag", "\"1\"")], body: old, sentByteCount: 9, end: .close)
            }
            return Answer.file(new, tag: "\"2\"", heedsConditions: false, to: request)
        }
        #expect(try await fetch(careless, client()) == new)
        // A file that has become shorter, although its validator is the same. Its first answer stated no length.
        let shrinking = try LoopbackServer { request in
            switch request.number {
            case 1:
                var answer = Answer(headers: [("ETag", "\"1\"")], body: old, tellsLength: false)
                (answer.sentByteCount, answer.end) = (100_000, .reset)
                return answer
            case 2:
                return Answer(
                    status: 206, headers: [("ETag", "\"1\""), ("Content-Range", "bytes 10-19/20")],
                    body: [UInt8](repeating: 7, count: 10))
            default: return Answer.file(new, tag: "\"1\"", to: request)
            }
        }
        #expect(try await fetch(shrinking, client()) == new)
    }

    @Test("an answer that always ends too soon is an error that says how far it came")
    func truncated() async throws {
        let contents = contents
        let server = try LoopbackServer { _ in Answer(body: contents, sentByteCount: 1000, end: .close) }
        await #expect(
            throws: ByteSourceError.network(
                .truncated(receivedByteCount: 1000, expectedByteCount: contents.count))
        ) { try await fetch(server, client()) }
        #expect(server.requests.count == 4)
    }

    @Test("a file of a length that is not told ends with its connection")
    func unknownLength() async throws {
        let contents = contents
        let server = try LoopbackServer { _ in Answer(body: contents, tellsLength: false) }
        #expect(try await fetch(server, client()) == contents)
    }

    @Test("a connection that is reset, or cannot be made, is an error after all attempts")
    func noConnection() async throws {
        let resetting = try LoopbackServer { _ in Answer(end: .reset, sendsHead: false) }
        let refusing = try RefusingPort()
        defer { withExtendedLifetime(refusing) {} }
        for url in [resetting.url(), refusing.url] {
            let timer = ManualTimer()
            timer.firesAtOnce(Self.delays[0], Self.delays[1], Self.delays[2])
            let client = HTTPClient(
                configuration: HTTPClient.Configuration { $0.timeout = Self.timeout }, timer: timer.after)
            let error = await #expect(throws: ByteSourceError.self) {
                try await client.resource(at: url).fetch(upTo: .max) { _ in }
            }
            guard case .network(.connectionFailed) = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
            #expect(timer.delays.filter { $0 != Self.timeout } == Self.delays)
        }
        let file = client().resource(at: URL(filePath: "/etc/hostname"))
        await #expect(throws: ByteSourceError.network(.connectionFailed(reason: "no address of HTTP"))) {
            try await file.fetch(upTo: 1000) { _ in }
        }
    }

    @Test("a server that says nothing times out, at its head or in the middle", arguments: [nil, 1000])
    func timeout(sentByteCount: Int?) async throws {
        let contents = contents
        let server = try LoopbackServer { _ in
            Answer(body: contents, sentByteCount: sentByteCount ?? 0, end: .stall)
        }
        let client = client(retryLimit: 0)
        let task = Task { try await fetch(server, client) }
        await server.waitForRequests(1)
        // As often as is needed: a sign of life puts the end off to the next time.
        while server.endedStallCount == 0 {
            timer.fire(Self.timeout)
            await Task.yield()
        }
        await #expect(throws: ByteSourceError.network(.timedOut)) { try await task.value }
    }

    @Test("cancelling the task ends a stalled transfer, and one that pauses")
    func cancelling() async throws {
        let contents = contents
        let stalling = try LoopbackServer { _ in Answer(body: contents, sentByteCount: 10, end: .stall) }
        let client = client()
        let stalled = Task { try await fetch(stalling, client) }
        await stalling.waitForRequests(1)
        stalled.cancel()
        await #expect(throws: ByteSourceError.network(.cancelled)) { try await stalled.value }
        await stalling.waitForStallsToEnd()
        #expect(stalling.requests.count == 1)

        let timer = ManualTimer()
        let failing = try LoopbackServer { _ in Answer(status: 500) }
        let patient = HTTPClient(configuration: HTTPClient.Configuration(), timer: timer.after)
        let pausing = Task { try await fetch(failing, patient) }
        await timer.waitFor(Self.delays[0])
        pausing.cancel()
        await #expect(throws: ByteSourceError.network(.cancelled)) { try await pausing.value }
        timer.fire(Self.delays[0])
        #expect(failing.requests.count == 1)
    }

    @Test("a file beyond the limit is not brought, whether its length is told or not")
    func limit() async throws {
        let contents = contents
        for tellsLength in [true, false] {
            let server = try LoopbackServer { _ in Answer(body: contents, tellsLength: tellsLength) }
            await #expect(throws: ByteSourceError.network(.tooLarge(limit: 1000))) {
                try await fetch(server, client(), upTo: 1000)
            }
            #expect(server.requests.count == 1)
        }
    }

    @Test("a redirection is followed; what is for one host only is not told to another")
    func redirection() async throws {
        let contents = contents
        let target = try LoopbackServer { Answer.file(contents, to: $0) }
        let address = target.url("/elsewhere").absoluteString
        let server = try LoopbackServer { _ in Answer(status: 302, headers: [("Location", address)]) }
        #expect(try await fetch(server, client(headers: ["X-Key": "secret"])) == contents)
        #expect(server.requests.map { $0["X-Key"] } == ["secret"])
        #expect(target.requests.map { $0["X-Key"] } == [nil])
    }

    @Test("a redirection within a host may be relative, has a body, and takes along what is for that host")
    func redirectionWithinHost() async throws {
        let contents = contents
        let server = try LoopbackServer { request in
            guard request.path != "/b/c.jpg?d=1" else { return Answer.file(contents, to: request) }
            let body = [UInt8](repeating: 0, count: 3000)
            return Answer(status: 307, headers: [("Location", "../b/c.jpg?d=1")], body: body)
        }
        #expect(try await fetch(server, client(headers: ["X-Key": "secret"])) == contents)
        #expect(server.requests.map { $0["X-Key"] } == ["secret", "secret"])
        #expect(server.connectionCount == 1)
    }

    @Test("the body of a redirection is not read without an end")
    func longRedirection() async throws {
        let contents = contents
        let server = try LoopbackServer { request in
            guard request.number == 1 else { return Answer.file(contents, to: request) }
            return Answer(
                status: 302, headers: [("Location", "/b.jpg")], body: contents + [0], sentByteCount: contents.count,
                end: .stall)
        }
        #expect(try await fetch(server, client()) == contents)
    }

    @Test(
        "a redirection out of HTTP is not followed",
        arguments: ["ftp://127.0.0.1/a", "file:///etc/hostname", "http://"])
    func redirectionElsewhere(address: String) async throws {
        let server = try LoopbackServer { _ in Answer(status: 302, headers: [("Location", address)]) }
        await #expect(throws: ByteSourceError.network(.status(302))) { try await fetch(server, client()) }
        #expect(server.requests.count == 1)
    }
}
