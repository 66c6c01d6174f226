import ThumbwheelCore

/// Describes the file that an export has written.
public struct VideoExportReport: Sendable, Equatable {
    /// The number of bytes of the file.
    public let byteCount: Int
    /// The size of the frames in pixels, as they are stored.
    public let codedSize: PixelSize
    /// The names of the codecs of the tracks that the export has left out:
    /// - time codes and timed metadata
    /// - subtitles in a coding that the file's type cannot hold
    /// - if frames were encoded anew: all tracks of frames except the shown one
    /// - if metadata was to be kept: a cover picture, if the file's type cannot hold cover pictures
    /// - sound in an unknown coding (with the name `none`), if there is also sound in a known coding
    ///
    /// The shown track of frames and the tracks of sound that are not in this list are never left out. If the file's
    /// type cannot hold one of them, the export fails.
    public let droppedTracks: [String]

    package init(byteCount: Int, codedSize: PixelSize, droppedTracks: [String]) {
        self.byteCount = byteCount
        self.codedSize = codedSize
        self.droppedTracks = droppedTracks
    }
}
