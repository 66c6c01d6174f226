import Foundation
import ThumbwheelLocks

/// One line on a terminal that says how far long work has come; nothing where standard error is no terminal.
final class ProgressLine: Sendable {
    private let isShown = isatty(STDERR_FILENO) == 1
    private let lastText = Mutex("")

    func show(_ text: String) {
        guard isShown else { return }
        let isNew = lastText.withLock { last in
            defer { last = text }
            return last != text
        }
        if isNew { FileHandle.standardError.write(Data("\r\u{1B}[K\(text)".utf8)) }
    }

    /// Leaves the terminal as it was.
    func clear() {
        guard isShown else { return }
        lastText.withLock { $0 = "" }
        FileHandle.standardError.write(Data("\r\u{1B}[K".utf8))
    }
}

/// A line on standard error for something that is reported and not fatal.
func report(_ text: String) {
    FileHandle.standardError.write(Data("thumbwheel: \(text)\n".utf8))
}
