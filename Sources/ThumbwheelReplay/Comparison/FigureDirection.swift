/// The direction in which a figure of a result document is better.
public enum FigureDirection: String, Encodable, Sendable {
    /// Lower figures are better: latencies, blank cells, bytes.
    case lower
    /// Higher figures are better: hits, images per second.
    case higher
    /// The figure only tells what happened, and is neither good nor bad.
    case neither
}
