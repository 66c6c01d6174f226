/// What a process wants to do with a library.
public enum PHAccessLevel: Int, Sendable {
    /// It adds assets, and reads nothing.
    case addOnly = 1
    /// It reads and edits.
    case readWrite = 2
}
