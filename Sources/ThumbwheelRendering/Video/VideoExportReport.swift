import ThumbwheelCore

/// What an export has written.
public struct VideoExportReport: Sendable, Equatable {
    /// The number of bytes of the file.
    public let byteCount: Int
    /// The size of the frames in pixels, as they are stored.
    public let codedSize: PixelSize
    /// The names of the codecs of the tracks that are not in the file, because its type cannot hold them or because
    /// nothing plays them: time codes, timed metadata, subtitles of other kinds, further tracks of frames if frames are
    /// encoded, a cover picture that was to be kept but finds no place, and sound in an unknown coding (`none`) beside
    /// other sound. The track that is shown and all other tracks of sound are always in the file.
    public let droppedTracks: [String]

    package init(byteCount: Int, codedSize: PixelSize, droppedTracks: [String]) {
        self.byteCount = byteCount
        self.codedSize = codedSize
        self.droppedTracks = droppedTracks
    }
}
