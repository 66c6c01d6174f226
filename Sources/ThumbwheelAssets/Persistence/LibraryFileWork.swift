import ThumbwheelCore

/// Runs what blocks on threads that may, and tells it when the task that waits for it is cancelled.
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
