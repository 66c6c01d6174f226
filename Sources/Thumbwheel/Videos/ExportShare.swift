import ThumbwheelCore
import ThumbwheelLocks

/// The running exports of this process, which share the processors.
enum ExportShare {
    private static let running = Mutex(0)

    /// Runs one export.
    ///
    /// - Parameter body: gets the number of threads that the export may keep busy: the processors divided by the
    ///   exports that run when it starts.
    static func run<Value, Failure: Error>(
        processorCount: Int = HostResources.current.processorCount, _ body: (Int) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        let count = running.withLock { count in
            count += 1
            return count
        }
        defer { running.withLock { $0 -= 1 } }
        return try body(max(1, processorCount / count))
    }
}
