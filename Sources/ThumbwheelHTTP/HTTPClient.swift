import Foundation
import ThumbwheelCore

/// Fetches photographs over HTTP(S): makes resources from addresses, and transfers their bytes over connections that are
/// reused.
///
/// Temporary failures are tried again after a pause that doubles: connections that break or time out, answers that are cut
/// short, and the statuses 408, 429, 500, 502, 503 and 504. A transfer that was cut short continues where it ended, if the
/// server has a strong validator and supports ranges. All other failures are errors at once.
///
/// Redirections are followed within HTTP and HTTPS, at most twenty. The environment's proxies count (`http_proxy`,
/// `https_proxy`, `no_proxy`), and certificates are checked against the system's.
public final class HTTPClient: Sendable {
    /// Timeouts, retries and limits of a client.
    public struct Configuration: Sendable {
        /// The time after which a silent server counts as timed out. The actual time is at least this long, and less than twice
        /// as long. The time in which a request waits for a connection does not count.
        public var timeout = Duration.seconds(30)
        /// How many times a failed transfer is tried again.
        public var retryLimit = 3
        /// The pause before the first retry; it doubles with each further retry.
        public var firstDelay = Duration.milliseconds(250)
        /// The longest pause. If a server asks for a longer one, the transfer fails at once.
        public var longestDelay = Duration.seconds(8)
        /// The length in bytes of the longest file that is fetched or opened.
        public var byteLimit = 256 << 20
        /// The greatest number of connections to one host at once.
        public var connectionsPerHost = 6
        /// Header fields that are sent with every request, for example authorization. If a server redirects to another
        /// scheme, host or port, they are not sent there. White space at the ends of values is removed.
        public var headers: [String: String] = [:]

        /// Makes a configuration; the defaults suit photographs that come over the Internet.
        public init() {}

        /// Makes a configuration and lets `configure` change it.
        public init(_ configure: (inout Configuration) -> Void) {
            self.init()
            configure(&self)
        }
    }

    /// Runs a closure once, after the given time, on any thread.
    package typealias Timer = @Sendable (Duration, @escaping @Sendable () -> Void) -> Void

    let configuration: Configuration
    let timer: Timer
    let session: CurlSession

    /// Makes a client, whose connections end with it, or when nobody has used them for a minute.
    public convenience init(configuration: Configuration = Configuration()) {
        self.init(configuration: configuration, idleTime: .seconds(60)) { delay, body in
            // The end of a transfer runs closures of the host, which must not block the clock's thread.
            AlarmClock.shared.ring(at: .now.advanced(by: delay)) { BlockingThreads.fetches.run(body) }
        }
    }

    /// - Parameters:
    ///   - idleTime: the time without requests after which connections end. For tests it has no end, as they may be kept
    ///     waiting for any time.
    ///   - timer: runs closures after a time; tests pass their own.
    package convenience init(
        configuration: Configuration, idleTime: Duration = .seconds(86_400), timer: @escaping Timer
    ) {
        self.init(
            configuration: configuration, timer: timer,
            session: CurlSession(
                connectionsPerHost: configuration.connectionsPerHost, timeout: configuration.timeout,
                idleTime: idleTime))
    }

    init(configuration: Configuration, timer: @escaping Timer, session: CurlSession) {
        self.configuration = configuration
        self.timer = timer
        self.session = session
    }

    deinit {
        // No task is left: its transfer would keep this client alive.
        session.close()
    }

    /// Returns the photograph at an HTTP or HTTPS address, without reading anything.
    public func resource(at url: URL) -> HTTPResource { HTTPResource(url: url, client: self) }

    /// Makes a transfer that has not started yet.
    ///
    /// - Parameter progress: called on a thread that it may block; nil if nobody follows the progress.
    func transfer(
        _ url: URL, _ wanted: HTTPTransfer.Wanted, upTo byteLimit: Int = .max,
        progress: (@Sendable (Double) -> Void)? = nil
    ) -> HTTPTransferRun {
        HTTPTransferRun(
            url: url, transfer: HTTPTransfer(wanted, byteLimit: min(byteLimit, configuration.byteLimit), configuration),
            client: self,
            progress: progress)
    }

    /// Queues one request of a transfer. `session.proceed` must follow.
    func add(_ request: HTTPTransfer.Request, to url: URL, at origin: HTTPOrigin, of run: HTTPTransferRun) -> HTTPTask {
        // Compression is declined, because offsets must count bytes of the file and not of a compressed form.
        var fields = ["accept-encoding": "identity"]
        for (name, value) in request.headers { fields[name.lowercased()] = value }
        let ownFields = configuration.headers.map { ($0.key.lowercased(), $0.value.trimmed) }
        let task = HTTPTask(
            url: url, origin: origin, fields: fields, ownFields: Dictionary(ownFields) { $1 }, of: run)
        session.add(task)
        return task
    }
}
