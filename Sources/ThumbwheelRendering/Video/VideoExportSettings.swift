import ThumbwheelCore

/// The settings of one export of a video: the treatment of the frames and the metadata, the exported part of the video,
/// and the type of the file.
package struct VideoExportSettings: Sendable {
    /// The treatment of the frames: they are copied, or encoded anew.
    package enum Frames: Sendable, Equatable {
        /// The coded frames are copied, to the last bit.
        case unchanged
        /// The frames are decoded, made upright, reduced to fit into a size, and encoded as H.264. `quality` is x264's
        /// constant rate factor: 18 is close to the original, 23 is usual, 28 is small.
        case h264(fitting: PixelSize, quality: Int)
    }

    package var frames: Frames
    /// The type of the file: MP4, QuickTime, Matroska or WebM.
    package var contentType: ContentType
    /// The part of the video, in seconds from its beginning; nil for all of it.
    package var timeRange: Range<Double>?
    /// Whether dates, places, titles, identifiers and cover pictures are kept.
    package var keepsMetadata: Bool
    /// Whether the index of an MP4 or QuickTime file is moved to the front, so that a player can start before it has
    /// received the whole file.
    package var startsEarly: Bool

    package init(
        frames: Frames, contentType: ContentType, timeRange: Range<Double>?, keepsMetadata: Bool, startsEarly: Bool
    ) {
        self.frames = frames
        self.contentType = contentType
        self.timeRange = timeRange
        self.keepsMetadata = keepsMetadata
        self.startsEarly = startsEarly
    }
}
