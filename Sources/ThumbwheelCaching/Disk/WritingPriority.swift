#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The priority of a store's writing thread. It is lower than that of the threads that render.
enum WritingPriority {
    private static let niceness: Int32 = 5

    /// Lowers the priority of the calling thread.
    static func apply() {
        #if os(Linux)
        // On Linux, the priority of a process with the number 0 is that of the calling thread alone (setpriority(2)).
        _ = setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, niceness)
        #else
        pthread_set_qos_class_self_np(QOS_CLASS_UTILITY, 0)
        #endif
    }
}
