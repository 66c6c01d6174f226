import TestSupport
import ThumbwheelCore
import ThumbwheelFormats

/// The head that `bytes` give as a video.
func videoHead(_ bytes: [UInt8]) throws(HeadError) -> VideoHead {
    try VideoHead(reading: MemoryByteSource(bytes))
}

/// The error that `bytes` give as a video; nil for a head.
func videoError(_ bytes: [UInt8]) -> HeadError? {
    do throws(HeadError) {
        _ = try videoHead(bytes)
        return nil
    } catch {
        return error
    }
}

extension MovieFile {
    /// A movie whose first track is changed.
    static func withTrack(_ change: (inout MovieFileTrack) -> Void) -> MovieFile {
        var file = MovieFile()
        change(&file.tracks[0])
        return file
    }
}
