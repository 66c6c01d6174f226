import ThumbwheelPipeline
import ThumbwheelRendering

/// What the receivers of a history hold: the images that came last, as a screen shows them.
struct SimulatedScreen {
    /// Those with pixels, the newest last; an image that came to two requests is shown twice.
    private var shown: [(pixels: Bitmap, byteCount: Int)] = []
    private static let cellCount = 3

    mutating func show(_ image: SharedImage) {
        guard let pixels = image.bitmap else { return }
        shown.append((pixels, image.facts.byteCount))
    }

    /// What is on screen makes room for what came after it.
    ///
    /// - Returns: whether anything went.
    mutating func scroll() -> Bool {
        let excess = shown.count - Self.cellCount
        guard excess > 0 else { return false }
        shown.removeFirst(excess)
        return true
    }

    /// Of each image once.
    var byteCount: Int {
        var seen: [Bitmap] = []
        return shown.reduce(0) { sum, image in
            guard !seen.contains(where: { $0 === image.pixels }) else { return sum }
            seen.append(image.pixels)
            return sum + image.byteCount
        }
    }

    mutating func clear() {
        shown = []
    }
}
