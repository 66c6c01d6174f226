import ThumbwheelCore
import ThumbwheelRendering

/// What a render begins with in place of the photograph: a cached rendition of it.
package final class RenderInput: Sendable {
    package let key: RenditionKey
    package let shared: SharedImage
    /// The part of it that is resampled; nil where its pixels are only to be encoded, packed or unpacked.
    package let box: SourceBox?

    package var isPacked: Bool { shared.facts.isPacked }

    init(_ key: RenditionKey, _ shared: SharedImage, box: SourceBox? = nil) {
        self.key = key
        self.shared = shared
        self.box = box
    }

    /// What resampling the box, or unpacking, is predicted to take.
    var predictedMilliseconds: Double {
        0.05 + (box.map { $0.width * $0.height } ?? Double(shared.facts.pixelSize.pixelCount)) / 300_000
    }
}
