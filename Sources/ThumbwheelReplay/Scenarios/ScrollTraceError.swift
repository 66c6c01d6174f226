/// The reason why a trace file cannot be used; `line` counts from 1, and is 0 for the file as a whole.
public struct ScrollTraceError: Error, Equatable, CustomStringConvertible {
    /// The line, counted from 1; 0 for the file as a whole.
    public let line: Int
    /// The reason in words, for people.
    public let reason: String

    public var description: String { line > 0 ? "line \(line): \(reason)" : reason }
}
