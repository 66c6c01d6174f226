import CCurl
import Foundation
import ThumbwheelCore

/// A task under way: one request, or several, if the server redirects. It lives on the session's thread.
final class CurlExchange {
    let task: HTTPTask
    /// The server of the request that runs or waits.
    private(set) var origin: HTTPOrigin
    /// The address of that request.
    private var url: URL
    /// libcurl's handle; nil until the first request begins.
    private(set) var handle: UnsafeMutableRawPointer?
    private var fields: UnsafeMutablePointer<curl_slist>?
    private var reader = HTTPHeadReader()
    /// The head of an answer that redirects. It is kept back, because the task receives it only if it leads nowhere.
    private var redirection: HTTPHeadReader.Head?
    private var redirectionCount = 0
    /// The bytes of the redirection's body so far.
    private var discardedByteCount = 0
    /// The error that this library has found in an answer.
    private var failure: NetworkError?
    /// Whether the task wants no more of the answer.
    private var isOver = false

    private static let redirectionLimit = 20

    init(_ task: HTTPTask) {
        self.task = task
        (url, origin) = (task.url, task.origin)
    }

    deinit {
        if let handle { curl_easy_cleanup(handle) }
        curl_slist_free_all(fields)
    }

    // MARK: Requests

    /// Sets up the next request.
    ///
    /// - Parameter timeout: the longest time in which a connection is made.
    func prepare(timeout: Duration) throws(NetworkError) {
        if handle == nil {
            handle = curl_easy_init()
            guard let handle else { throw Self.withoutMemory }
            // libcurl's own limit, of 300 seconds, must not end a request before the transfer's timeout does.
            let milliseconds = Int(max(.milliseconds(1), min(timeout, Self.longestTimeout)) * 3 / .milliseconds(1))
            try check(
                tw_curl_prepare(
                    handle, { CurlExchange.of($3).receiveHeadLine(UnsafeRawBufferPointer(start: $0, count: $1 * $2)) },
                    { CurlExchange.of($3).receiveBody(UnsafeRawBufferPointer(start: $0, count: $1 * $2)) },
                    Unmanaged.passUnretained(self).toOpaque(), milliseconds))
        }
        let isOwn = origin == task.origin
        let list = try Self.list(isOwn ? task.fields.merging(task.ownFields) { shared, _ in shared } : task.fields)
        let status = tw_curl_address(handle, url.absoluteString, list)
        curl_slist_free_all(fields)
        fields = list
        try check(status)
    }

    private static let longestTimeout = Duration.seconds(86_400)
    static let withoutMemory = NetworkError.connectionFailed(reason: "no memory for a request")

    private static func list(
        _ fields: [String: String]
    ) throws(NetworkError) -> UnsafeMutablePointer<curl_slist>? {
        var list: UnsafeMutablePointer<curl_slist>?
        for (name, value) in fields {
            // A field without a value is written with a semicolon; a colon alone would take a field of libcurl's own away.
            let line = value.isEmpty ? "\(name);" : "\(name): \(value)"
            // A control character would end the field, or the head.
            let longer = line.hasControlCharacter ? nil : curl_slist_append(list, line)
            guard let longer else {
                curl_slist_free_all(list)
                if line.hasControlCharacter { throw .connectionFailed(reason: "a control character in \(name)") }
                throw Self.withoutMemory
            }
            list = longer
        }
        return list
    }

    private func check(_ status: CURLcode) throws(NetworkError) {
        if let error = Self.error(status) { throw error }
    }

    // MARK: Events

    private static func of(_ context: UnsafeMutableRawPointer?) -> CurlExchange {
        Unmanaged<CurlExchange>.fromOpaque(context!).takeUnretainedValue()
    }

    private func receiveHeadLine(_ line: UnsafeRawBufferPointer) -> Int {
        task.receiveSign()
        switch reader.receive(line) {
        case .more: return line.count
        case .complete(let head) where head.isRedirection: redirection = head
        case .complete(let head):
            isOver = !task.receive(HTTPAnswerHead(status: head.status, fields: head.fields))
        case .tooLong: failure = .invalidResponse(reason: "a head that is too long")
        }
        return isOver || failure != nil ? 0 : line.count
    }

    private func receiveBody(_ bytes: UnsafeRawBufferPointer) -> Int {
        if redirection != nil {
            task.receiveSign()
            discardedByteCount += bytes.count
            return discardedByteCount > HTTPTransfer.discardLimit ? 0 : bytes.count
        }
        isOver = !task.receive(bytes)
        return isOver ? 0 : bytes.count
    }

    /// Handles the end of a request.
    ///
    /// - Returns: whether another request follows, to the address of a redirection.
    func end(_ status: CURLcode) -> Bool {
        guard !isOver else { return false }
        var error = failure ?? Self.error(status)
        // However its body ended, a redirection tells the address.
        if let redirection = redirection.take() {
            do throws(NetworkError) {
                if try follow(redirection) { return true }
                error = nil
            } catch let failure {
                error = failure
            }
            let head = HTTPAnswerHead(status: redirection.status, fields: redirection.fields)
            if error == nil, !task.receive(head) { return false }
        }
        task.end(error)
        return false
    }

    /// - Returns: whether the redirection leads to an address of HTTP(S).
    private func follow(_ redirection: HTTPHeadReader.Head) throws(NetworkError) -> Bool {
        guard let target = redirection.fields["location"].flatMap({ URL(string: $0, relativeTo: url) })?.absoluteURL,
            let origin = HTTPOrigin(target)
        else { return false }
        redirectionCount += 1
        discardedByteCount = 0
        // Most long chains of redirections are circles: another attempt would not end either.
        guard redirectionCount <= Self.redirectionLimit else {
            throw .invalidResponse(reason: "too many redirections")
        }
        (url, self.origin) = (target, origin)
        return true
    }

    private static func error(_ status: CURLcode) -> NetworkError? {
        let reason = String(cString: curl_easy_strerror(status))
        return switch status {
        case CURLE_OK: nil
        case CURLE_OPERATION_TIMEDOUT: .timedOut
        // Another attempt would get the same.
        case CURLE_WEIRD_SERVER_REPLY, CURLE_UNSUPPORTED_PROTOCOL, CURLE_BAD_CONTENT_ENCODING,
            CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE, CURLE_URL_MALFORMAT:
            .invalidResponse(reason: reason)
        default: .connectionFailed(reason: reason)
        }
    }
}

extension String {
    var hasControlCharacter: Bool { utf8.contains { $0 < 0x20 && $0 != 0x09 || $0 == 0x7F } }
}
