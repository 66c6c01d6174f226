import CCurl

/// libcurl's handle for requests that run at once. Only the session's thread uses it, but for `wake`.
///
/// `@unchecked`, because the compiler does not know that libcurl lets any thread wake another one that waits; the session keeps
/// to the rest.
final class CurlMulti: @unchecked Sendable {
    private let handle: UnsafeMutableRawPointer

    private static let isLibraryReady = curl_global_init(Int(CURL_GLOBAL_ALL)) == CURLE_OK

    /// - Returns: nil if there is no memory, or no descriptor.
    init?(connectionsPerHost: Int) {
        guard Self.isLibraryReady, let handle = curl_multi_init() else { return nil }
        self.handle = handle
        _ = tw_curl_limit_connections(handle, max(connectionsPerHost, 1))
    }

    deinit {
        curl_multi_cleanup(handle)
    }

    /// Ends the wait that is under way, or else the next one.
    func wake() { _ = curl_multi_wakeup(handle) }

    func add(_ exchange: CurlExchange) -> Bool { curl_multi_add_handle(handle, exchange.handle) == CURLM_OK }

    func remove(_ exchange: CurlExchange) { curl_multi_remove_handle(handle, exchange.handle) }

    /// Reads and writes as much as can be without waiting.
    func perform() {
        var runningCount: Int32 = 0
        curl_multi_perform(handle, &runningCount)
    }

    /// Returns a request that has ended, and how it has.
    func nextEnd() -> (handle: UnsafeMutableRawPointer, status: CURLcode)? {
        var status = CURLE_OK
        return tw_curl_next_end(handle, &status).map { ($0, status) }
    }

    /// Waits until a socket is ready, a time of libcurl's own is over, or `wake` is called.
    func wait() { curl_multi_poll(handle, nil, 0, .max, nil) }
}
