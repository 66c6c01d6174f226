import Foundation

/// The number of files and connections that the process may have open.
enum OpenFileLimit {
    /// Raises the limit to the most that the system allows this process. The usual limit, 1024, is less than a service has
    /// connections.
    ///
    /// - Returns: The limit; nil if the system does not tell.
    @discardableResult
    static func raise() -> Int? {
        #if os(Linux)
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        #else
        let resource = RLIMIT_NOFILE
        #endif
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0 else { return nil }
        let before = limit.rlim_cur
        limit.rlim_cur = limit.rlim_max
        return Int(clamping: setrlimit(resource, &limit) == 0 ? limit.rlim_max : before)
    }

    /// How many connections a service may have with so many open files: a third of them, and some for the process itself, stay for
    /// photographs and for the store.
    static func connectionLimit(_ fileLimit: Int) -> Int { max(4, (fileLimit - 48) * 2 / 3) }
}
