import CCurl

/// libcurl's handle for requests that run at once. Only the session's thread uses it, but for `wake`.
///
/// `@unchecked`, because the compiler does not know that libcurl lets any thread wake another one that waits; the session keeps
/// to the rest.
final class CurlMulti: @unchecked Sendable {
    private let handle: UnsafeMutableRawPointer

    private static let isLibraryReady = curl_global_init(Int(CURL_GLOBAL_ALL)) == CURLE_OK

    /// - Parameter connectionLimit: the number of connections that are kept for later requests.
    /// - Returns: nil if there is no memory, or no descriptor.
    init?(connectionLimit: Int) {
        guard Self.isLibraryReady, let handle = curl_multi_init() else { return nil }
        // libcurl makes a handle without the sockets that wake its thread, and tells so only here.
        guard curl_multi_wakeup(handle) == CURLM_OK else {
            curl_multi_cleanup(handle)
            return nil
        }
        self.handle = handle
        _ = tw_curl_limit_connections(handle, connectionLimit)
    }

    deinit {
        curl_multi_cleanup(handle)
    }

    /// Ends the wait that is under way, or else the next one.
    func wake() { _ = curl_multi_wakeup(handle) }

    func add(_ request: UnsafeMutableRawPointer) -> Bool { curl_multi_add_handle(handle, request) == CURLM_OK }

    func remove(_ request: UnsafeMutableRawPointer) { curl_multi_remove_handle(handle, request) }

    /// Reads and writes as much as can be without waiting.
    ///
    /// - Returns: whether the handle still works.
    func perform() -> Bool {
        var runningCount: Int32 = 0
        return curl_multi_perform(handle, &runningCount) == CURLM_OK
    }

    /// Returns a request that has ended, and how it has.
    func nextEnd() -> (handle: UnsafeMutableRawPointer, status: CURLcode)? {
        var status = CURLE_OK
        return tw_curl_next_end(handle, &status).map { ($0, status) }
    }

    /// Waits until a socket is ready, a time of libcurl's own is over, or `wake` is called.
    ///
    /// - Returns: whether the handle still works.
    func wait(atMost milliseconds: Int32) -> Bool {
        curl_multi_poll(handle, nil, 0, milliseconds, nil) == CURLM_OK
    }
}
