import Foundation
import Thumbwheel
import ThumbwheelLocks

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A real HTTP server on the loopback interface, as bad as a test wants it: it answers each request as it is told,
/// counts connections, and keeps them open for the next request unless the answer breaks them.
package final class LoopbackServer: Sendable {
    package struct Request: Sendable {
        package let path: String
        /// Names in lower case.
        package let headers: [String: String]
        /// From 1 on, of all that came before this one.
        package let number: Int
        /// Which of the connections it came over, from 1 on.
        package let connection: Int

        package subscript(name: String) -> String? { headers[name.lowercased()] }
    }

    package struct Answer: Sendable {
        package enum End: Sendable {
            case complete
            /// The connection is closed in good order, whatever has been sent.
            case close
            /// The connection is reset.
            case reset
            /// Nothing more is sent until the other side closes the connection.
            case stall
        }

        package var status = 200
        package var headers: [(name: String, value: String)] = []
        package var body: [UInt8] = []
        /// How much of the body is sent before the end; nil for all.
        package var sentByteCount: Int?
        package var end = End.complete
        /// Whether anything is sent at all.
        package var sendsHead = true
        /// Whether the length is told.
        package var tellsLength = true

        package init(
            status: Int = 200, headers: [(name: String, value: String)] = [], body: [UInt8] = [],
            sentByteCount: Int? = nil, end: End = .complete, sendsHead: Bool = true, tellsLength: Bool = true
        ) {
            self.status = status
            self.headers = headers
            self.body = body
            self.sentByteCount = sentByteCount
            self.end = end
            self.sendsHead = sendsHead
            self.tellsLength = tellsLength
        }

        /// A file as a good server sends it: by ranges, with a validator.
        ///
        /// - Parameter heedsConditions: whether it looks at what state of the file a range is wanted of.
        package static func file(
            _ bytes: [UInt8], tag: String? = "\"1\"", heedsConditions: Bool = true, to request: Request
        ) -> Answer {
            let tagHeader = tag.map { [(name: "ETag", value: $0)] } ?? []
            let isSame = request["If-Range"].map { $0 == tag } ?? true
            guard let range = request["Range"], isSame || !heedsConditions else {
                return Answer(headers: tagHeader, body: bytes)
            }
            let ends = range.dropFirst("bytes=".count).split(separator: "-", omittingEmptySubsequences: false)
            let first = Int(ends[0])!
            let last = min(Int(ends[1]) ?? .max, bytes.count - 1)
            guard first <= last else {
                return Answer(status: 416, headers: [("Content-Range", "bytes */\(bytes.count)")])
            }
            return Answer(
                status: 206, headers: tagHeader + [("Content-Range", "bytes \(first)-\(last)/\(bytes.count)")],
                body: Array(bytes[first...last]))
        }
    }

    private let core: Core
    package let port: UInt16

    package init(_ answer: @escaping @Sendable (Request) -> Answer) throws {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let status = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic -> Int32 in
                guard bind(listener, generic, length) == 0, listen(listener, 64) == 0 else { return -1 }
                return getsockname(listener, generic, &length)
            }
        }
        guard listener >= 0, status == 0 else { throw POSIXError(.EADDRNOTAVAIL) }
        port = UInt16(bigEndian: address.sin_port)
        core = Core(listener, answer)
        Thread.detachNewThread { [core] in core.serveConnections() }
    }

    deinit {
        core.stop()
    }

    package func url(_ path: String = "/photograph.jpg") -> URL { URL(string: "http://127.0.0.1:\(port)\(path)")! }

    package var requests: [Request] { core.state.withLock { $0.requests } }
    package var connectionCount: Int { core.state.withLock { $0.connectionCount } }

    /// How many stalled answers have been given up by the other side.
    package var endedStallCount: Int { core.state.withLock { $0.endedStallCount } }

    /// Returns when there have been this many requests.
    package func waitForRequests(_ count: Int) async {
        await core.wait { $0.requests.count >= count }
    }

    /// Returns when this many stalled answers have been given up by the other side.
    package func waitForStallsToEnd(_ count: Int = 1) async {
        await core.wait { $0.endedStallCount >= count }
    }

    /// Returns when this many connections have ended.
    package func waitForConnectionsToEnd(_ count: Int) async {
        await core.wait { $0.connectionCount - $0.sockets.count >= count }
    }
}

/// What the server's threads share, so that the server itself can go away before them.
private final class Core: Sendable {
    struct State {
        var requests: [LoopbackServer.Request] = []
        var connectionCount = 0
        var endedStallCount = 0
        var sockets: Set<Int32> = []
        var isStopped = false
        var watchers: [(isThere: @Sendable (State) -> Bool, continuation: CheckedContinuation<Void, Never>)] = []
    }

    let state = Mutex(State())
    private let listener: Int32
    private let answer: @Sendable (LoopbackServer.Request) -> LoopbackServer.Answer

    init(_ listener: Int32, _ answer: @escaping @Sendable (LoopbackServer.Request) -> LoopbackServer.Answer) {
        self.listener = listener
        self.answer = answer
    }

    func stop() {
        // Shut down and not closed: the threads that read them close them.
        let sockets = state.withLock { state in
            state.isStopped = true
            return state.sockets
        }
        for socket in sockets + [listener] { shutdown(socket, Int32(SHUT_RDWR)) }
    }

    func wait(_ isThere: @escaping @Sendable (State) -> Bool) async {
        await withCheckedContinuation { continuation in
            let isReady = state.withLock { state in
                if !isThere(state) { state.watchers.append((isThere, continuation)) }
                return isThere(state)
            }
            if isReady { continuation.resume() }
        }
    }

    private func note(_ change: (inout State) -> Void) {
        let ready = state.withLock { state in
            change(&state)
            let watchers = state.watchers
            state.watchers = watchers.filter { !$0.isThere(state) }
            return watchers.filter { $0.isThere(state) }.map(\.continuation)
        }
        for continuation in ready { continuation.resume() }
    }

    func serveConnections() {
        while true {
            let connection = accept(listener, nil, nil)
            guard connection >= 0 else {
                // All tests together may have too many open files for a moment, and a client may be gone already.
                if [EMFILE, ENFILE, ECONNABORTED, EINTR].contains(errno) {
                    sched_yield()
                    continue
                }
                break
            }
            var one: Int32 = 1
            setsockopt(connection, Int32(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(MemoryLayout<Int32>.size))
            let number = state.withLock { state -> Int? in
                guard !state.isStopped else { return nil }
                state.connectionCount += 1
                state.sockets.insert(connection)
                return state.connectionCount
            }
            guard let number else {
                close(connection)
                break
            }
            Thread.detachNewThread { [self] in
                serve(connection, number)
                note { _ = $0.sockets.remove(connection) }
                close(connection)
            }
        }
        close(listener)
    }

    private func serve(_ connection: Int32, _ number: Int) {
        while let head = readHead(connection) {
            let lines = head.components(separatedBy: "\r\n")
            var headers: [String: String] = [:]
            for line in lines.dropFirst() {
                guard let colon = line.firstIndex(of: ":") else { continue }
                let value = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
                headers[line[..<colon].lowercased()] = value
            }
            let count = state.withLock { $0.requests.count }
            let request = LoopbackServer.Request(
                path: lines[0].split(separator: " ").dropFirst().first.map(String.init) ?? "", headers: headers,
                number: count + 1, connection: number)
            note { $0.requests.append(request) }
            guard give(answer(request), over: connection) else { return }
        }
    }

    /// - Returns: whether the connection can be used again.
    private func give(_ answer: LoopbackServer.Answer, over connection: Int32) -> Bool {
        var text = "HTTP/1.1 \(answer.status) Status\r\n"
        for header in answer.headers { text += "\(header.name): \(header.value)\r\n" }
        text += answer.tellsLength ? "Content-Length: \(answer.body.count)\r\n\r\n" : "Connection: close\r\n\r\n"
        // In one piece: apart, head and body would wait for one another's acknowledgement.
        let sent = Array(text.utf8) + answer.body.prefix(answer.sentByteCount ?? answer.body.count)
        if answer.sendsHead { write(sent, to: connection) }
        switch answer.end {
        case .complete: return answer.tellsLength
        case .close: return false
        case .reset:
            var linger = linger(l_onoff: 1, l_linger: 0)
            setsockopt(connection, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<linger>.size))
            return false
        case .stall:
            var byte: UInt8 = 0
            _ = recv(connection, &byte, 1, 0)
            note { $0.endedStallCount += 1 }
            return false
        }
    }

    private func readHead(_ connection: Int32) -> String? {
        var bytes: [UInt8] = []
        var byte: UInt8 = 0
        while recv(connection, &byte, 1, 0) == 1 {
            bytes.append(byte)
            if bytes.suffix(4) == [13, 10, 13, 10] { return String(decoding: bytes, as: UTF8.self) }
        }
        return nil
    }

    private func write(_ bytes: [UInt8], to connection: Int32) {
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes { buffer in
                send(connection, buffer.baseAddress! + sent, bytes.count - sent, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return }
            sent += count
        }
    }
}
