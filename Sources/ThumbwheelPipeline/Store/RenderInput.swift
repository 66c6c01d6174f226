import ThumbwheelCore
import ThumbwheelRendering

/// A cached rendition from which a render starts, in place of the photograph.
package final class RenderInput: Sendable {
    package let key: RenditionKey
    package let shared: SharedImage
    /// The part of this cached rendition from which the new rendition is resampled. Nil if nothing is resampled,
    /// because the pixels are only encoded, packed or unpacked.
    package let box: SourceBox?

    package var isPacked: Bool { shared.facts.isPacked }

    init(_ key: RenditionKey, _ shared: SharedImage, box: SourceBox? = nil) {
        self.key = key
        self.shared = shared
        self.box = box
    }

    /// The predicted milliseconds for resampling the part `box` or, if `box` is nil, for unpacking the whole rendition.
    var predictedMilliseconds: Double {
        0.05 + (box.map { $0.width * $0.height } ?? Double(shared.facts.pixelSize.pixelCount)) / 300_000
    }
}
