import ThumbwheelCore

/// Describes the file that an export has written.
public struct VideoExportReport: Sendable, Equatable {
    /// The number of bytes of the file.
    public let byteCount: Int
    /// The size of the frames in pixels, as they are stored.
    public let codedSize: PixelSize
    /// The names of the codecs of the tracks that the export has left out:
    /// - tracks of time codes and of timed metadata
    /// - subtitle tracks in a coding that the file's type cannot hold
    /// - if metadata was not to be kept: all subtitle tracks, because cameras write places into them
    /// - if frames were encoded anew: all video tracks except the shown one
    /// - if metadata was to be kept: a cover picture, if the file's type cannot hold cover pictures
    /// - audio tracks in an unknown coding (with the name `none`), if there is also an audio track in a known coding
    ///
    /// The shown video track is never left out, nor is any audio track except those named above. If the file's type
    /// cannot hold one of these tracks, the export fails, unless the track is one of `convertedTracks`.
    public let droppedTracks: [String]
    /// The names of the codecs of the audio tracks that were encoded anew as AAC, because the file's type cannot hold
    /// them as they are. Tracks are converted only if the frames are encoded anew too.
    public let convertedTracks: [String]

    package init(byteCount: Int, codedSize: PixelSize, droppedTracks: [String], convertedTracks: [String]) {
        self.byteCount = byteCount
        self.codedSize = codedSize
        self.droppedTracks = droppedTracks
        self.convertedTracks = convertedTracks
    }
}
