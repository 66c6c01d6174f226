/// The directions in which figures of a result document are better.
public enum FigureDirection: String, Encodable, Sendable {
    /// Less is better: latencies, blank cells, bytes.
    case lower
    /// More is better: hits, images per second.
    case higher
    /// It tells what happened, and is neither good nor bad.
    case neither
}
