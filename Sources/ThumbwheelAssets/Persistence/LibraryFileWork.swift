import ThumbwheelCore

/// Blocking work on library files, run on threads that may block. If the waiting task is cancelled, the work learns it
/// through a cancellation token.
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
