import ThumbwheelCore

/// Runs a closure that reads or writes a library file on a thread outside Swift's own pool, where it may wait for the
/// disk. The closure gets a token, which is cancelled if the calling task is cancelled.
enum LibraryFileWork {
    static func run<Value: Sendable>(
        _ body: @escaping @Sendable (CancellationToken) throws(LibraryFileError) -> Value
    ) async throws(LibraryFileError) -> Value {
        let token = CancellationToken()
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                BlockingThreads.reads.run {
                    continuation.resume(returning: Result { () throws(LibraryFileError) in try body(token) })
                }
            }
        } onCancel: {
            token.cancel()
        }
        return try result.get()
    }
}
