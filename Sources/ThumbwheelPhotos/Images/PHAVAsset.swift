import Foundation
import Thumbwheel

/// A video as a player needs it, in the place of AVFoundation's `AVAsset`, which Linux lacks.
public final class PHAVAsset: NSObject, Sendable {
    /// The video in this library's own spelling: its tracks, its duration and its bytes.
    public let movie: Movie

    init(_ movie: Movie) {
        self.movie = movie
    }

    /// The file of the video; nil if the bytes are not in a file.
    public var url: URL? { movie.resource.filePath.map { URL(fileURLWithPath: $0) } }
    /// The duration in seconds.
    public var duration: Double { movie.duration }
    /// The tracks in the order of the file.
    public var tracks: [MediaTrack] { movie.tracks }
}
