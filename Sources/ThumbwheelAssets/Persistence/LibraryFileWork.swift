import ThumbwheelCore

/// Runs work on library files on a thread that may wait. If the task that waits for the work is cancelled, the token
/// that the work receives is cancelled too.
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
