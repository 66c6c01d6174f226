import ThumbwheelRendering

/// The part of a file that a fetch brings over a network.
package enum FetchExtent: Hashable, Sendable {
    /// The whole file.
    case whole
    /// The beginning of the file with its header, and the embedded previews that may serve as a degraded image.
    case preview
    /// The ranges of the file from which one rendition is made. The options describe that rendition.
    case rendition(RenderOptions)
    /// The ranges of all frames from which the poster of a video may be chosen. They are fetched if the first of these
    /// frames turns out not to be suitable. A video is never fetched as a whole for an image.
    case alternatives
}
