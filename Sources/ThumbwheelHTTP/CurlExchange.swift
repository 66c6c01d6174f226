import CCurl
import Foundation
import ThumbwheelCore

/// A task under way: one request, or several, if the server redirects. It lives on the session's thread.
final class CurlExchange {
    let task: HTTPTask
    let handle: UnsafeMutableRawPointer

    /// The address of the request that runs.
    private var url: URL
    private var fields: UnsafeMutablePointer<curl_slist>?
    private var reader = HTTPHeadReader()
    /// The head of an answer that redirects. It is kept back, because the task receives it only if nothing can be redirected.
    private var redirection: HTTPHeadReader.Head?
    private var redirectionCount = 0
    /// The bytes of the redirection's body so far. They are read, as far as is worth a connection, and have no use.
    private var discardedByteCount = 0
    /// Whether the task wants no more of the answer.
    private var isOver = false

    private static let redirectionLimit = 20
    private static let discardLimit = 64 << 10

    /// - Parameter timeout: the longest time in which a connection is made.
    /// - Returns: nil if there is no memory.
    init?(_ task: HTTPTask, timeout: Duration) {
        guard let handle = curl_easy_init() else { return nil }
        self.task = task
        self.handle = handle
        url = task.url
        let status = tw_curl_prepare(
            handle,
            { bytes, size, count, context in
                CurlExchange.of(context).receiveHeadLine(UnsafeRawBufferPointer(start: bytes, count: size * count))
            },
            { bytes, size, count, context in
                CurlExchange.of(context).receiveBody(UnsafeRawBufferPointer(start: bytes, count: size * count))
            },
            Unmanaged.passUnretained(self).toOpaque(),
            // The transfer ends a request at most twice the timeout after the last sign of life, and thus in any case earlier.
            Int(min(timeout, .seconds(86_400)) * 3 / .milliseconds(1)))
        guard status == CURLE_OK, address(task.url) else { return nil }
    }

    deinit {
        curl_easy_cleanup(handle)
        curl_slist_free_all(fields)
    }

    private static func of(_ context: UnsafeMutableRawPointer?) -> CurlExchange {
        Unmanaged<CurlExchange>.fromOpaque(context!).takeUnretainedValue()
    }

    /// Sets the address of the next request, and the fields that its host may see.
    private func address(_ url: URL) -> Bool {
        self.url = url
        var list: UnsafeMutablePointer<curl_slist>?
        let isOwn = Self.origin(of: url) == Self.origin(of: task.url)
        let wanted = isOwn ? task.ownFields.merging(task.fields) { $1 } : task.fields
        for (name, value) in wanted {
            // A field without a value is written with a semicolon; a colon alone would take a field of libcurl's own away.
            guard let longer = curl_slist_append(list, value.isEmpty ? "\(name);" : "\(name): \(value)") else {
                curl_slist_free_all(list)
                return false
            }
            list = longer
        }
        let status = tw_curl_address(handle, url.absoluteString, list)
        curl_slist_free_all(fields)
        fields = list
        return status == CURLE_OK
    }

    // MARK: Events

    private func receiveHeadLine(_ line: UnsafeRawBufferPointer) -> Int {
        guard let head = reader.receive(line) else { return line.count }
        if head.isRedirection {
            redirection = head
        } else {
            isOver = !task.receive(HTTPAnswerHead(status: head.status, fields: head.fields))
        }
        return isOver ? 0 : line.count
    }

    private func receiveBody(_ bytes: UnsafeRawBufferPointer) -> Int {
        guard redirection == nil else {
            discardedByteCount += bytes.count
            return discardedByteCount > Self.discardLimit ? 0 : bytes.count
        }
        isOver = !task.receive(bytes)
        return isOver ? 0 : bytes.count
    }

    /// Handles the end of a request.
    ///
    /// - Returns: whether another request has been set up, which follows a redirection.
    func end(_ status: CURLcode) -> Bool {
        guard !isOver else { return false }
        var error = Self.error(status)
        // However its body ended, a redirection tells the address.
        if let redirection = redirection.take() {
            error = nil
            if let target = redirection.fields["location"].flatMap({ URL(string: $0, relativeTo: url) }),
                Self.origin(of: target) != nil
            {
                switch follow(target) {
                case nil: return true
                case let failure?: error = failure
                }
            } else if !task.receive(HTTPAnswerHead(status: redirection.status, fields: redirection.fields)) {
                return false
            }
        }
        task.end(error)
        return false
    }

    /// Sets up the request that follows a redirection.
    ///
    /// - Returns: the error if there is no such request.
    private func follow(_ target: URL) -> NetworkError? {
        redirectionCount += 1
        discardedByteCount = 0
        // Most long chains of redirections are circles: another attempt would not end either.
        guard redirectionCount <= Self.redirectionLimit else {
            return .invalidResponse(reason: "too many redirections")
        }
        return address(target.absoluteURL) ? nil : .invalidResponse(reason: "a redirection to no address")
    }

    /// The scheme, host and port of an address of HTTP(S); nil for any other.
    private static func origin(of url: URL) -> [String]? {
        guard let scheme = url.scheme?.lowercased(), ["http", "https"].contains(scheme),
            let host = url.host()?.lowercased()
        else { return nil }
        return [scheme, host, "\(url.port ?? (scheme == "http" ? 80 : 443))"]
    }

    private static func error(_ status: CURLcode) -> NetworkError? {
        switch status {
        case CURLE_OK: nil
        case CURLE_OPERATION_TIMEDOUT: .timedOut
        case CURLE_WEIRD_SERVER_REPLY, CURLE_UNSUPPORTED_PROTOCOL, CURLE_BAD_CONTENT_ENCODING:
            .invalidResponse(reason: String(cString: curl_easy_strerror(status)))
        default: .connectionFailed(reason: String(cString: curl_easy_strerror(status)))
        }
    }
}
