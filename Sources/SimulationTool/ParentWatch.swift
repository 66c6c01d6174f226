import Foundation

/// Ends a process that works for another one when that one ends, however it does.
///
/// Standard input is a pipe whose other end only the parent has: it is closed with the parent, whatever signal that died of.
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
