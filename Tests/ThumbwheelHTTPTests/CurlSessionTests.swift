import Foundation
import TestSupport
import Testing
import Thumbwheel
import ThumbwheelCore
import ThumbwheelLocks

@testable import ThumbwheelHTTP

private typealias Answer = LoopbackServer.Answer

/// The thread that carries out requests, and its connections.
@Suite(.endsHangs) struct CurlSessionTests {
    private let contents = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 ^ $0 >> 8) }
    private static let timeout = Duration.seconds(3600)
    private let timer = ManualTimer()

    private func client(_ configure: (inout HTTPClient.Configuration) -> Void = { _ in }) -> HTTPClient {
        HTTPClient(
            configuration: HTTPClient.Configuration {
                $0.timeout = Self.timeout
                $0.retryLimit = 0
                configure(&$0)
            },
            timer: timer.after)
    }

    @Test("a session without a thread ends its tasks, and tries again with the next one")
    func noThread() async throws {
        let contents = contents
        let server = try LoopbackServer { Answer.file(contents, to: $0) }
        let attempts = Mutex(0)
        let client = HTTPClient(
            configuration: HTTPClient.Configuration { ($0.timeout, $0.retryLimit) = (Self.timeout, 0) },
            timer: timer.after,
            session: CurlSession(connectionsPerHost: 6, timeout: Self.timeout) { body in
                let isFirst = attempts.withLock { attempts in
                    attempts += 1
                    return attempts == 1
                }
                return !isFirst && DetachedThread.start(named: "test", body)
            })
        let error = await #expect(throws: ByteSourceError.self) {
            try await client.resource(at: server.url()).fetch(upTo: .max) { _ in }
        }
        guard case .network(.connectionFailed)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(server.requests.isEmpty)
        #expect(try await client.resource(at: server.url()).fetch(upTo: .max) { _ in } == contents)
    }

    @Test("the connections of a client end with it")
    func end() async throws {
        let contents = contents
        let server = try LoopbackServer { Answer.file(contents, to: $0) }
        var client: HTTPClient? = client()
        _ = try await client!.resource(at: server.url()).fetch(upTo: .max) { _ in }
        client = nil
        await server.waitForConnectionsToEnd(1)
    }

    @Test("no more connections than are allowed lead to one host")
    func connectionLimit() async throws {
        let contents = contents
        let server = try LoopbackServer { Answer.file(contents, to: $0) }
        let client = client { $0.connectionsPerHost = 2 }
        try await withThrowingTaskGroup(of: [UInt8].self) { group in
            for _ in 0..<40 {
                group.addTask { try await client.resource(at: server.url()).fetch(upTo: .max) { _ in } }
            }
            for try await bytes in group { #expect(bytes == contents) }
        }
        #expect(server.connectionCount <= 2)
    }

    @Test("eight tasks that fetch and cancel at once get the file or an error, from servers that break off")
    func storm() async throws {
        let contents = contents
        let server = try LoopbackServer { request in
            var answer = Answer.file(contents, to: request)
            switch request.number % 5 {
            case 1: (answer.sentByteCount, answer.end) = (40_000, .reset)
            case 2: (answer.sentByteCount, answer.end) = (40_000, .close)
            case 3: (answer.sendsHead, answer.end) = (false, .reset)
            default: break
            }
            return answer
        }
        let client = client()
        let seed = UInt64.random(in: 0...UInt64.max)
        print("seed \(seed)")
        await withTaskGroup(of: Void.self) { group in
            for lane in 0..<8 {
                group.addTask {
                    var random = SeededGenerator(seed: seed &+ UInt64(lane))
                    for _ in 0..<60 {
                        let task = Task { () throws(ByteSourceError) in
                            try await client.resource(at: server.url()).fetch(upTo: .max) { _ in }
                        }
                        for _ in 0..<Int.random(in: 0...40, using: &random) { await Task.yield() }
                        if Bool.random(using: &random) { task.cancel() }
                        switch await task.result {
                        case .success(let bytes): #expect(bytes == contents)
                        case .failure(let error):
                            guard case .network? = error as? ByteSourceError else {
                                Issue.record("\(error)")
                                continue
                            }
                        }
                    }
                }
            }
        }
        // The session still works.
        let calm = try LoopbackServer { Answer.file(contents, to: $0) }
        #expect(try await client.resource(at: calm.url()).fetch(upTo: .max) { _ in } == contents)
    }
}
