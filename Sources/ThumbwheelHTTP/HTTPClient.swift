import Foundation
import ThumbwheelCore

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Photographs behind HTTP(S): makes resources of addresses, and brings their bytes over connections that are used again.
///
/// What fails for a moment is tried again after a pause that doubles: connections that break or time out, answers cut short,
/// and the statuses 408, 429, 500, 502, 503 and 504. A transfer cut short goes on where it ended, where the server has a
/// strong validator and knows ranges. All else is an error at once.
public final class HTTPClient: Sendable {
    /// Timeouts, retries and limits of a client.
    public struct Configuration: Sendable {
        /// How long a server may say nothing: at least this long, and less than twice as long.
        public var timeout = Duration.seconds(30)
        /// How many times a failed transfer is tried again.
        public var retryLimit = 3
        /// Before the first retry; it doubles with each.
        public var firstDelay = Duration.milliseconds(250)
        /// The longest pause; a server that asks for a longer one gets none.
        public var longestDelay = Duration.seconds(8)
        /// The longest file that is brought or opened, in bytes.
        public var byteLimit = 256 << 20
        /// The number of connections to one host at once.
        public var connectionsPerHost = 6
        /// Sent with every request, authorization, say; but not on to another host that a server points to.
        public var headers: [String: String] = [:]

        /// Makes a configuration; the defaults suit photographs behind the Internet.
        public init() {}

        /// Makes a configuration and lets `configure` change it.
        public init(_ configure: (inout Configuration) -> Void) {
            self.init()
            configure(&self)
        }
    }

    /// Runs a closure once, after a while, on any thread.
    package typealias Timer = @Sendable (Duration, @escaping @Sendable () -> Void) -> Void

    let configuration: Configuration
    let timer: Timer
    private let session: URLSession
    private let delegate: SessionDelegate

    /// Makes a client, whose connections end with it.
    public convenience init(configuration: Configuration = Configuration()) {
        self.init(configuration: configuration) { delay, body in
            // The end of a transfer runs closures of the host, which must not hold up the clock.
            AlarmClock.shared.ring(at: .now.advanced(by: delay)) { BlockingThreads.fetches.run(body) }
        }
    }

    /// - Parameter timer: tests bring their own.
    package init(configuration: Configuration, timer: @escaping Timer) {
        self.configuration = configuration
        self.timer = timer
        delegate = SessionDelegate(ownHeaders: Array(configuration.headers.keys))
        let session = URLSessionConfiguration.ephemeral
        session.httpMaximumConnectionsPerHost = configuration.connectionsPerHost
        session.httpShouldSetCookies = false
        session.urlCache = nil
        session.requestCachePolicy = .reloadIgnoringLocalCacheData
        // This client watches over silence itself; the session is not to interfere.
        session.timeoutIntervalForRequest = 24 * 3600
        self.session = URLSession(configuration: session, delegate: delegate, delegateQueue: nil)
    }

    deinit {
        // The session keeps its delegate, and its connections, until it is told.
        session.finishTasksAndInvalidate()
    }

    /// The photograph at an address of HTTP or HTTPS. Nothing is read.
    public func resource(at url: URL) -> HTTPResource { HTTPResource(url: url, client: self) }

    /// A transfer that has not begun.
    func transfer(
        _ url: URL, _ wanted: HTTPTransfer.Wanted, upTo byteLimit: Int = .max,
        progress: @escaping @Sendable (Double) -> Void = { _ in }
    ) -> HTTPTransferRun {
        HTTPTransferRun(
            url: url, transfer: HTTPTransfer(wanted, byteLimit: min(byteLimit, configuration.byteLimit), configuration),
            client: self,
            progress: progress)
    }

    /// Starts one request of a transfer.
    func start(_ request: HTTPTransfer.Request, to url: URL, of run: HTTPTransferRun) -> URLSessionDataTask {
        var message = URLRequest(url: url)
        for (name, value) in configuration.headers { message.setValue(value, forHTTPHeaderField: name) }
        // Offsets are those of the file, not of a compressed form of it.
        message.setValue("identity", forHTTPHeaderField: "Accept-Encoding")
        for (name, value) in request.headers { message.setValue(value, forHTTPHeaderField: name) }
        let task = session.dataTask(with: message)
        delegate.add(run, for: task.taskIdentifier)
        task.resume()
        return task
    }
}
