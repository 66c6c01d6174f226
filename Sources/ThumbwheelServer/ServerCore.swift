import CMicroHTTPD
import Foundation
import ThumbwheelCore
import ThumbwheelLocks
import ThumbwheelService

/// The state of a server, and the work that the callbacks of libmicrohttpd do with it.
final class ServerCore: Sendable {
    private enum Phase: Comparable {
        case running
        /// Streams of events end, and requests may still wait for their responses.
        case ending
        /// Nothing may wait any more.
        case over
    }

    private struct State {
        var openCount = 0
        var suspendedCount = 0
        var phase = Phase.running
        var streams: [ObjectIdentifier: StreamReader] = [:]
        /// The bytes of bodies that are kept.
        var bodyByteCount = 0
    }

    let handler: ServiceHandler
    let configuration: ServiceServer.Configuration
    let peers: Peers
    let watch: LeavingWatch
    let readAhead = ReadAhead(limit: (32 << 20) / SourceReader.blockByteCount)
    private let state: Mutex<State>

    init(_ handler: ServiceHandler, _ configuration: ServiceServer.Configuration) throws(ServerError) {
        let peers = Peers()
        (self.handler, self.configuration, self.peers) = (handler, configuration, peers)
        state = Mutex(State())
        let ticks = Mutex(0)
        let heartbeat = Heartbeat()
        watch = try LeavingWatch {
            peers.shutDownLate()
            let isDue = ticks.withLock { ticks in
                ticks += 1
                return ticks % 15 == 0
            }
            if isDue { heartbeat.send() }
        }
        heartbeat.set { [weak self] in self?.sendHeartbeats() }
    }

    /// How many requests are open, and how many of them are suspended.
    var counts: (open: Int, suspended: Int) { state.withLock { ($0.openCount, $0.suspendedCount) } }

    // MARK: Connections

    func begin(_ target: UnsafePointer<CChar>, _ peer: Peer?) -> Exchange {
        state.withLock { $0.openCount += 1 }
        peer?.expect(within: configuration.headerSeconds * 1000)
        return Exchange(target: target, peer: peer)
    }

    func end(_ exchange: Exchange, isComplete: Bool) {
        let bodyByteCount = exchange.state.withLock { $0.body.count }
        state.withLock { state in
            state.openCount -= 1
            state.bodyByteCount -= bodyByteCount
        }
        // A connection that stays may be idle, and then send the next header. Bytes that come one by one would keep it from
        // being idle.
        exchange.peer?.expect(within: (configuration.idleSeconds + configuration.headerSeconds) * 1000)
        let byteCount = exchange.sentByteCount(isComplete: isComplete)
        // A response of which nothing was sent is told as well: its body counted until now.
        if let response = exchange.state.withLock({ $0.response }) { handler.countSent(byteCount, of: response) }
        configuration.log?(exchange.record(isComplete: isComplete, sentByteCount: byteCount))
    }

    /// Suspends a connection. A stream of events is not suspended once the server is stopping. A request is, until its time
    /// to end is over: it may have come to this point only after the server began to stop.
    ///
    /// - Parameter cancel: Called if the client leaves meanwhile; what follows must resume the connection.
    func suspend(
        _ connection: OpaquePointer, _ peer: Peer, isStream: Bool, cancel: @escaping @Sendable () -> Void
    ) -> Bool {
        let mayWait = state.withLock { state in
            let mayWait = isStream ? state.phase < .ending : state.phase < .over
            if mayWait { state.suspendedCount += 1 }
            return mayWait
        }
        guard mayWait else { return false }
        peer.expectNothing()
        MHD_suspend_connection(connection)
        watch.watch(peer.descriptor, peer.number, handler: cancel)
        return true
    }

    /// Resumes a suspended connection. Called once for each time that it was suspended.
    func resume(_ connection: ConnectionPointer, _ peer: Peer) {
        watch.unwatch(peer.descriptor, peer.number)
        MHD_resume_connection(connection.pointer)
        state.withLock { $0.suspendedCount -= 1 }
    }

    // MARK: Requests

    /// A request's head, a piece of its body, its end, or its connection's resumption.
    ///
    /// - Parameters:
    ///   - version: The request's version in libmicrohttpd's memory.
    ///   - upload: The piece; empty otherwise.
    /// - Returns: whether the connection stays.
    func handle(
        _ exchange: Exchange, _ connection: OpaquePointer, method: String, version: UnsafePointer<CChar>,
        upload: UnsafeRawBufferPointer
    ) -> Bool {
        let isCutShort = UInt(bitPattern: version) != exchange.versionAddress
        let stage = exchange.state.withLock { state -> Exchange.Stage in
            defer {
                if state.stage == .begun {
                    (state.stage, state.method, state.isCutShort) = (.receiving, method, isCutShort)
                }
            }
            return state.stage
        }
        switch stage {
        case .begun:
            // Most requests have no body, and their fields are read once.
            guard method == "POST" else { return true }
            let request = ServiceRequest(
                method: method, target: exchange.target, fields: FieldReader.fields(of: connection))
            let limit = handler.bodyByteLimit(of: request)
            exchange.state.withLock { $0.bodyLimit = limit }
            return true
        case .receiving where !upload.isEmpty:
            receive(upload, exchange)
            return true
        case .receiving: return answer(exchange, connection)
        case .waiting, .answered:
            // The connection has been resumed. Nobody reads the response to a client that has left.
            guard let response = exchange.state.withLock({ $0.response }), !response.notes.isAbandoned else {
                return false
            }
            return send(response, exchange, connection)
        }
    }

    /// Keeps a piece of a body, as far as its request has a use for it and all bodies together leave room.
    private func receive(_ upload: UnsafeRawBufferPointer, _ exchange: Exchange) {
        let (wanted, received) = exchange.state.withLock { state in
            state.receivedByteCount += upload.count
            // One byte too many has the handler refuse the body.
            let wanted = state.isCrowdedOut ? 0 : min(upload.count, state.bodyLimit + 1 - state.body.count)
            return (wanted, state.receivedByteCount)
        }
        let hasRoom = state.withLock { state in
            guard state.bodyByteCount + wanted <= configuration.bodyByteLimit else { return false }
            state.bodyByteCount += wanted
            return true
        }
        exchange.state.withLock { state in
            if hasRoom { state.body += upload.prefix(wanted) } else { state.isCrowdedOut = true }
        }
        // Who sends as fast as responses must be taken may send for as long as that takes.
        let allowed = configuration.headerSeconds * 1000 + received * 1000 / max(1, configuration.leastBytesPerSecond)
        exchange.peer?.expect(within: allowed - Int(MonotonicTime.now.milliseconds(since: exchange.start)))
    }

    private func answer(_ exchange: Exchange, _ connection: OpaquePointer) -> Bool {
        let (method, body, refusal) = exchange.state.withLock { state -> (String, [UInt8], ServiceResponse?) in
            (state.method, state.body, state.isCutShort ? .malformed : state.isCrowdedOut ? .busy : nil)
        }
        if let response = refusal {
            exchange.state.withLock { ($0.stage, $0.response) = (.answered, response) }
            return send(response, exchange, connection)
        }
        var request = ServiceRequest(
            method: method, target: exchange.target, fields: FieldReader.fields(of: connection), body: body)
        if let peer = exchange.peer { request.hasLeft = { tw_has_left(peer.descriptor) != 0 } }
        switch handler.answer(to: request) {
        case .ready(let response):
            exchange.state.withLock { ($0.stage, $0.response) = (.answered, response) }
            if response.notes.isAbandoned { return false }
            return send(response, exchange, connection)
        case .pending(let pending):
            guard let peer = exchange.peer, suspend(connection, peer, isStream: false, cancel: { pending.cancel() })
            else {
                pending.cancel()
                return false
            }
            exchange.state.withLock { $0.stage = .waiting }
            let pointer = ConnectionPointer(pointer: connection)
            pending.whenReady { [self] response in
                exchange.state.withLock { ($0.stage, $0.response) = (.answered, response) }
                resume(pointer, peer)
            }
            return true
        }
    }

    private func send(_ response: ServiceResponse, _ exchange: Exchange, _ connection: OpaquePointer) -> Bool {
        let isHead = exchange.state.withLock { $0.method == "HEAD" }
        let made: OpaquePointer?
        switch response.body {
        case .events(let stream):
            let reader = StreamReader(stream, isEvents: true, self, connection, exchange)
            state.withLock { $0.streams[ObjectIdentifier(stream)] = reader }
            made = ResponseMaking.response(of: reader) { [weak self] in self?.forget(stream) }
        case .stream(let stream):
            let reader = StreamReader(stream, isEvents: false, self, connection, exchange)
            made = ResponseMaking.response(of: reader) { stream.close() }
        case .source(let source, let range):
            let reader = SourceReader(source, range, self, connection, exchange.peer)
            made = ResponseMaking.response(of: reader, byteCount: range.count)
        case .none, .bytes:
            made = ResponseMaking.response(of: response, isHead: isHead)
        }
        guard let made else { return false }
        for field in response.fields.fields { MHD_add_response_header(made, field.name, field.value) }
        // A client that goes on asking on the same connection would keep a server from ending that is stopping.
        if state.withLock({ $0.phase != .running }) { MHD_add_response_header(made, "connection", "close") }
        let bytes = isHead ? 0 : response.body.byteCount ?? 0
        // Shorter bodies fit into the system's buffers at once, and count as sent.
        if bytes > 1 << 16, let peer = exchange.peer {
            let before = tw_acknowledged(peer.descriptor)
            if before >= 0 { exchange.state.withLock { $0.acknowledgedBefore = before } }
        }
        exchange.peer?.expect(
            within: configuration.headerSeconds * 1000 + bytes * 1000 / max(1, configuration.leastBytesPerSecond))
        let isQueued = MHD_queue_response(connection, UInt32(response.status), made) == tw_mhd_yes()
        MHD_destroy_response(made)
        exchange.state.withLock { $0.isQueued = isQueued }
        return isQueued
    }

    // MARK: Events and the end

    private func forget(_ stream: ByteStream) {
        let reader = state.withLock { $0.streams.removeValue(forKey: ObjectIdentifier(stream)) }
        _ = reader
        stream.close()
    }

    private func sendHeartbeats() {
        for reader in state.withLock({ Array($0.streams.values) }) { reader.stream.sendHeartbeat() }
    }

    /// Ends the streams of events, and lets no further one wait.
    func beginStopping() {
        let readers = state.withLock { state in
            state.phase = .ending
            return Array(state.streams.values)
        }
        for reader in readers { reader.stream.close() }
    }

    /// Lets nothing wait any more, and acts as if all clients that are waited for had left.
    ///
    /// A connection is watched a moment after it counts as suspended, so the call is repeated until none is suspended.
    func cancelWaiting() {
        state.withLock { $0.phase = .over }
        watch.sendAllAway()
    }
}
