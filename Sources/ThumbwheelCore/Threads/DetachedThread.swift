import Foundation

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Starts threads of the operating system, and reports when the system has none left.
///
/// Foundation's `Thread` does not report that the process, or its container, is at its limit of threads.
package enum DetachedThread {
    /// Starts a detached thread. Nothing waits for its end.
    ///
    /// - Parameters:
    ///   - name: The name that debuggers show; Linux keeps 15 bytes of it.
    ///   - stackSize: The number of bytes of the stack; nil for the system's usual size. Pages of a stack that are
    ///     never touched take no memory.
    ///   - body: Runs on the thread. The thread ends when it returns.
    /// - Returns: whether the thread has been started; if not, `body` is never called.
    package static func start(
        named name: String, stackSize: Int? = nil, _ body: @escaping @Sendable () -> Void
    ) -> Bool {
        let work = Unmanaged.passRetained(Work(name: name, body: body))
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        if let stackSize { pthread_attr_setstacksize(&attributes, stackSize) }
        #if canImport(Glibc)
        var thread = pthread_t()
        let status = pthread_create(&thread, &attributes, { runWork($0) }, work.toOpaque())
        guard status == 0 else {
            work.release()
            return false
        }
        pthread_detach(thread)
        #else
        var thread: pthread_t?
        let status = pthread_create(&thread, &attributes, { runWork($0) }, work.toOpaque())
        guard status == 0, let thread else {
            work.release()
            return false
        }
        pthread_detach(thread)
        #endif
        return true
    }

    fileprivate final class Work: Sendable {
        let name: String
        let body: @Sendable () -> Void

        init(name: String, body: @escaping @Sendable () -> Void) {
            self.name = name
            self.body = body
        }
    }
}

private func runWork(_ pointer: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let pointer else { return nil }
    let work = Unmanaged<DetachedThread.Work>.fromOpaque(pointer).takeRetainedValue()
    Thread.current.name = work.name
    work.body()
    return nil
}
