import ThumbwheelCore
import ThumbwheelPipeline

/// The options of one export. A new value has the default for every option.
public struct ExportOptions: Sendable {
    /// Receives the fraction of the export that is done, from 0 to 1. Setting `stop` cancels the export.
    public typealias ProgressHandler = @Sendable (_ fraction: Double, _ stop: inout Bool) -> Void

    /// The type of the new file: `.mp4`, `.quickTime`, `.matroska` or `.webM`.
    public var contentType = ContentType.mp4
    /// The part of the video to export, in seconds from its beginning; nil for all of it.
    ///
    /// If the video track is copied without encoding it anew, the file also gets the frames that are needed to decode
    /// the part:
    ///
    /// - The file begins with the last key frame before the part. In MP4 and QuickTime files, an edit list tells
    ///   players to begin with the part itself.
    /// - The file may contain a few frames from after the part, because the last frames of the part may be decoded from
    ///   them.
    public var timeRange: Range<Double>?
    /// Whether dates, places, titles, identifiers and the cover picture are kept. If not, the file contains only the
    /// metadata that players need: the languages of the tracks, the rotation and the colours. Subtitles are left out
    /// then too, because drones and action cameras write places into them.
    public var keepsMetadata = true
    /// Whether the index of an MP4 or QuickTime file is in front of the frames, so that players can start before they
    /// have the whole file. The index is complete only after the last frame. So the file is then written once more, to
    /// move the index to the front.
    public var startsEarly = true
    /// Called on the library's own threads while the export runs, each call after the one before.
    public var progressHandler: ProgressHandler?
    /// A token that cancels the export, and any other work that was given the same token.
    public var cancellationToken: CancellationToken?

    /// Makes options.
    public init() {}

    /// Makes options and lets `configure` change them.
    public init(_ configure: (inout ExportOptions) -> Void) {
        self.init()
        configure(&self)
    }
}
