import Foundation

/// A process as it was at a moment. Its number may go to another process once it has ended, so the time of its start
/// belongs to its identity.
package struct SeenProcess: Hashable, Sendable, CustomStringConvertible {
    package let number: Int
    /// The time of its start, in clock ticks since the system's start.
    private let startTime: Int
    let parent: Int
    private let name: String

    /// Nil if there is no process of this number, or if the system does not tell.
    package init?(_ number: Int) {
        guard let bytes = try? FileHandle(forReadingAtPath: "/proc/\(number)/stat")?.readToEnd() else { return nil }
        // The name, in parentheses, may contain spaces and parentheses. After it come the state, the parent and, 17
        // fields later, the time of the start (`man 5 proc_pid_stat`).
        let text = String(decoding: bytes, as: UTF8.self)
        guard let nameEnd = text.lastIndex(of: ")") else { return nil }
        let fields = text[text.index(after: nameEnd)...].split(separator: " ")
        guard fields.count > 19, let parent = Int(fields[1]), let startTime = Int(fields[19]) else { return nil }
        (self.number, self.parent, self.startTime) = (number, parent, startTime)
        name = String(text[..<nameEnd].drop { $0 != "(" }.dropFirst())
    }

    package var description: String { "\(name) (\(number))" }

    /// Processes that change their parents or names stay the same.
    package static func == (one: SeenProcess, other: SeenProcess) -> Bool {
        one.number == other.number && one.startTime == other.startTime
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(number)
        hasher.combine(startTime)
    }

    /// Whether the process ends within some seconds. A process that has ended, and whose end nobody has collected, is
    /// left over as well.
    func hasEnded(within seconds: Double) -> Bool {
        let deadline = Date(timeIntervalSinceNow: seconds)
        while SeenProcess(number) == self {
            if Date() > deadline { return false }
            usleep(5000)
        }
        return true
    }
}
