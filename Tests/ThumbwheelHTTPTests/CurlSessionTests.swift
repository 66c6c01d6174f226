import Foundation
import TestSupport
import Testing
import Thumbwheel
import ThumbwheelCore
import ThumbwheelLocks

@testable import ThumbwheelHTTP

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

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
            session: CurlSession(connectionsPerHost: 6, timeout: Self.timeout, idleTime: Self.timeout) { body in
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

    @Test("a server that has stalled holds up no requests to others")
    func stalledServer() async throws {
        let contents = contents
        let stalling = try LoopbackServer { _ in Answer(body: contents, sentByteCount: 10, end: .stall) }
        let server = try LoopbackServer { Answer.file(contents, to: $0) }
        let client = client { $0.connectionsPerHost = 1 }
        let stalled = (0..<5).map { _ in
            Task { () throws(ByteSourceError) in
                try await client.resource(at: stalling.url()).fetch(upTo: .max) { _ in }
            }
        }
        await stalling.waitForRequests(1)
        for _ in 0..<5 {
            #expect(try await client.resource(at: server.url()).fetch(upTo: .max) { _ in } == contents)
        }
        for task in stalled { task.cancel() }
        for task in stalled {
            await #expect(throws: ByteSourceError.network(.cancelled)) { try await task.value }
        }
        #expect(stalling.requests.count == 1)
    }

    @Test("the time in which a request waits for its turn is no silence of the server")
    func waitingForTurn() throws {
        let client = HTTPClient(
            configuration: HTTPClient.Configuration { $0.timeout = Self.timeout }, timer: timer.after,
            // A thread that never comes to the request.
            session: CurlSession(connectionsPerHost: 6, timeout: Self.timeout, idleTime: Self.timeout) { _ in true })
        let results = Mutex<[HTTPTransferRun.Result]>([])
        let run = client.transfer(try #require(URL(string: "http://127.0.0.1/a.jpg")), .whole)
        run.start { result in results.withLock { $0.append(result) } }
        #expect(timer.delays.isEmpty && results.withLock { $0.isEmpty })
        run.cancel()
        #expect(results.withLock { $0 } == [.failure(.cancelled)])
    }

    @Test("connections end when nobody has used them for a time, and later requests make others")
    func idle() async throws {
        let contents = contents
        let server = try LoopbackServer { Answer.file(contents, to: $0) }
        let client = HTTPClient(
            configuration: HTTPClient.Configuration { ($0.timeout, $0.retryLimit) = (Self.timeout, 0) },
            timer: timer.after,
            session: CurlSession(connectionsPerHost: 6, timeout: Self.timeout, idleTime: .zero))
        for count in 1...3 {
            #expect(try await client.resource(at: server.url()).fetch(upTo: .max) { _ in } == contents)
            await server.waitForConnectionsToEnd(count)
        }
    }

    @Test("a host that waits for another file in a progress handler gets both")
    func progressThatWaits() async throws {
        let contents = contents
        let server = try LoopbackServer { Answer.file(contents, to: $0) }
        let client = client()
        let other = Mutex<Int?>(nil)
        let bytes = try await client.resource(at: server.url()).fetch(upTo: .max) { _ in
            let count = try? client.resource(at: server.url()).open().byteCount
            other.withLock { $0 = count }
        }
        #expect(bytes == contents && other.withLock { $0 } == contents.count)
    }

    @Test("a field with a line end inside is an error, and one at its end is removed")
    func controlCharacters() async throws {
        let contents = contents
        let server = try LoopbackServer { Answer.file(contents, to: $0) }
        let sound = client { $0.headers = ["Authorization": "Bearer word\n", "X-Empty": ""] }
        #expect(try await sound.resource(at: server.url()).fetch(upTo: .max) { _ in } == contents)
        #expect(server.requests.first?["Authorization"] == "Bearer word" && server.requests.first?["X-Empty"] == "")
        let broken = client { $0.headers = ["X-Key": "a\r\nX-Other: b"] }
        await #expect(
            throws: ByteSourceError.network(.connectionFailed(reason: "a control character in x-key"))
        ) {
            try await broken.resource(at: server.url()).fetch(upTo: .max) { _ in }
        }
        #expect(server.requests.count == 1)
    }

    @Test("programs that are started do not inherit a client's connections")
    func descriptors() async throws {
        let contents = contents
        let server = try LoopbackServer { Answer.file(contents, to: $0) }
        let client = client()
        _ = try await client.resource(at: server.url()).fetch(upTo: .max) { _ in }
        let flags = (0..<4096).filter { Self.peerPort(of: Int32($0)) == server.port }.map { fcntl(Int32($0), F_GETFD) }
        #expect(!flags.isEmpty && flags.allSatisfy { $0 & FD_CLOEXEC != 0 })
        withExtendedLifetime(client) {}
    }

    private static func peerPort(of descriptor: Int32) -> UInt16? {
        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let status = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getpeername(descriptor, $0, &length) }
        }
        return status == 0 && address.sin_family == sa_family_t(AF_INET) ? UInt16(bigEndian: address.sin_port) : nil
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
