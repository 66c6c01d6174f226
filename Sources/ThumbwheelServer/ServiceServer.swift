import CMicroHTTPD
import Dispatch
import Glibc
import ThumbwheelCore
import ThumbwheelLocks
import ThumbwheelService

/// Serves a `ServiceHandler` over HTTP/1.1, by libmicrohttpd. TLS and HTTP/2 belong to a proxy in front.
///
/// Connections whose pictures are being made are suspended, and cost no thread. A client that leaves meanwhile cancels its render at
/// once. Clients that send their header or take their response too slowly are sent away.
public final class ServiceServer: Sendable {
    /// The settings that the server was started with.
    public let configuration: Configuration
    /// The port that the server listens at.
    public let port: Int
    private let core: ServerCore
    private let daemon: Mutex<DaemonPointer?>

    /// A running daemon.
    ///
    /// Unchecked, because libmicrohttpd's calls on a daemon may come from any thread, and the pointer is taken out of the
    /// mutex by whoever ends the daemon.
    private struct DaemonPointer: @unchecked Sendable {
        let pointer: OpaquePointer
    }

    /// Starts a server.
    ///
    /// - Parameters:
    ///   - handler: Answers the requests, on the server's threads.
    ///   - configuration: The settings.
    /// - Throws: `ServerError`; nothing listens then.
    public init(handler: ServiceHandler, configuration: Configuration = Configuration()) throws(ServerError) {
        self.configuration = configuration
        guard let address = ListeningAddress(host: configuration.host, port: configuration.port) else {
            throw .invalidHost(configuration.host)
        }
        core = try ServerCore(handler, configuration)
        let limits = tw_mhd_limits(
            threads: UInt32(max(1, configuration.threadCount)),
            connections: UInt32(max(1, configuration.connectionLimit)),
            connections_per_address: UInt32(max(0, configuration.connectionLimitPerAddress)),
            idle_seconds: UInt32(max(1, configuration.idleSeconds)),
            connection_memory: max(4096, configuration.connectionByteLimit))
        let callbacks = ServerCallbacks.callbacks(of: core)
        guard let pointer = address.withPointer({ tw_mhd_start($0, address.isIPv6 ? 1 : 0, limits, callbacks) }) else {
            core.watch.stop()
            throw .cannotListen(host: configuration.host, port: configuration.port)
        }
        port = Int(tw_mhd_port(pointer))
        daemon = Mutex(DaemonPointer(pointer: pointer))
    }

    deinit {
        // A server is stopped before it goes; one that is not has its requests cancelled.
        guard let daemon = daemon.withLock({ $0.take() }) else { return }
        core.beginStopping()
        let deadline = ContinuousClock.now.advanced(by: Self.cancellationTime)
        repeat {
            core.cancelWaiting()
            usleep(1000)
        } while core.counts.suspended > 0 && ContinuousClock.now < deadline
        end(daemon, closing: nil)
    }

    /// The time in which cancelled requests end, each of which should at once.
    private static let cancellationTime = Duration.seconds(5)

    /// Ends the daemon, unless a request has not ended that was cancelled: libmicrohttpd ends the process if it is stopped with a suspended
    /// connection. The daemon then stays behind with what its threads use, which is better than a service that never ends.
    ///
    /// - Parameter socket: The socket at which the daemon has listened, if it does no more.
    private func end(_ daemon: DaemonPointer, closing socket: Int32?) {
        if core.counts.suspended > 0 {
            _ = Unmanaged.passRetained(core)
        } else {
            MHD_stop_daemon(daemon.pointer)
            if let socket, socket >= 0 { close(socket) }
        }
        core.watch.stop()
    }

    /// The numbers of connections, of open requests and of suspended ones at present.
    public var counts: (connections: Int, requests: Int, suspended: Int) {
        let counts = core.counts
        return (core.peers.count, counts.open, counts.suspended)
    }

    /// Stops the server: no connection comes in from now on, and open requests may end until the time is over; then they are
    /// cancelled. Streams of events end at once.
    ///
    /// - Returns: whether all requests could end by themselves.
    @discardableResult
    public func stop(within time: Duration = .seconds(10)) async -> Bool {
        guard let daemon = daemon.withLock({ $0.take() }) else { return true }
        let socket = MHD_quiesce_daemon(daemon.pointer)
        // The socket listens until it is closed, which it cannot be yet: clients would connect and wait for nothing.
        if socket >= 0 { shutdown(socket, Int32(SHUT_RDWR)) }
        core.beginStopping()
        let deadline = ContinuousClock.now.advanced(by: time)
        while core.counts.open > 0, ContinuousClock.now < deadline { try? await Task.sleep(for: .milliseconds(5)) }
        let isClean = core.counts.open == 0
        core.cancelWaiting()
        let lastMoment = ContinuousClock.now.advanced(by: Self.cancellationTime)
        while core.counts.suspended > 0, ContinuousClock.now < lastMoment {
            try? await Task.sleep(for: .milliseconds(1))
            core.cancelWaiting()
        }
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async { [self] in
                end(daemon, closing: socket)
                continuation.resume()
            }
        }
        return isClean
    }
}
