import Foundation

/// The number of files and connections that the process may have open.
enum OpenFileLimit {
    /// Raises the limit to the most that the system allows this process. The usual limit, 1024, is less than a service has
    /// connections.
    static func raise() {
        #if os(Linux)
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        #else
        let resource = RLIMIT_NOFILE
        #endif
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0 else { return }
        limit.rlim_cur = limit.rlim_max
        _ = setrlimit(resource, &limit)
    }
}
