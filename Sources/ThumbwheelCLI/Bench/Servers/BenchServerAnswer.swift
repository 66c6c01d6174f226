/// The answer of a server of a benchmark: how long the image took, and whether the server rendered it.
struct BenchServerAnswer: Sendable {
    enum Origin: String, Sendable {
        case rendered, shared, failed
        /// Rendered from a file that is cut short. No store keeps such an image.
        case partial
    }

    let milliseconds: Double
    let origin: Origin

    init(milliseconds: Double, origin: Origin) { (self.milliseconds, self.origin) = (milliseconds, origin) }

    /// Reads the line that `text` gives; nil if it is another.
    init?(_ line: String) {
        let words = line.split(separator: " ").map(String.init)
        guard words.count == 2, let milliseconds = Double(words[0]), let origin = Origin(rawValue: words[1]) else {
            return nil
        }
        (self.milliseconds, self.origin) = (milliseconds, origin)
    }

    var text: String { "\(milliseconds) \(origin.rawValue)" }
}
