import Foundation

/// Ends a worker process when its parent process ends, for whatever reason.
///
/// Standard input is a pipe whose other end only the parent holds. The system closes it with the parent, even if a
/// signal killed the parent.
enum ParentWatch {
    static func begin() {
        Thread.detachNewThread {
            var byte: UInt8 = 0
            while true {
                let count = read(STDIN_FILENO, &byte, 1)
                guard count > 0 || (count < 0 && errno == EINTR) else { _exit(1) }
            }
        }
    }
}
