import ThumbwheelCore
import ThumbwheelFormats

/// A search for the frame at a time, which decodes frames from the key frame before it on.
package struct FrameSearch {
    /// The time, in seconds from the beginning of the video.
    package let seconds: Double
    /// The time of the key frame nearest to `seconds`. It is shown if the search does not come nearer.
    package let keyFrameSeconds: Double
    /// The largest number of seconds from a key frame to a frame that is decoded from it.
    package let reach: Double
    /// The largest number of coded bytes from a key frame to a frame that is decoded from it.
    package let byteLimit = 8 << 20

    /// The largest number of frames that are decoded for one.
    private static let frameLimit = 300.0
    /// The largest number of pixels of these frames together: that of 300 frames of 1920×1080.
    private static let pixelLimit = 622_080_000.0
    /// The rate that is assumed if the file states none, in frames per second.
    private static let usualRate = 30.0
    /// The number of frames in a strip for which the tolerance is chosen.
    private static let stripCount = 10.0

    /// The largest distance, in seconds, from a time to the key frame that is shown in its place. It is a step of a
    /// strip of ten while this is no more than a second, so that the key frames of most cameras, one or two seconds
    /// apart, are used and nothing between them is decoded. In longer videos it is half a step, so that the frames of
    /// the strip differ.
    static func tolerance(for head: VideoHead) -> Double {
        guard head.duration > 0 else { return .infinity }
        let step = head.duration / stripCount
        return max(min(step, 1), step / 2)
    }

    /// - Returns: nil if the key frame is near enough, or if the time lies behind the video.
    init?(_ head: VideoHead, at seconds: Double, keyFrameSeconds: Double) {
        guard abs(keyFrameSeconds - seconds) > Self.tolerance(for: head), seconds < head.duration else { return nil }
        self.seconds = seconds
        self.keyFrameSeconds = keyFrameSeconds
        let count = min(Self.frameLimit, Self.pixelLimit / Double(max(1, head.codedSize.pixelCount)))
        reach = count / (head.frameRate ?? Self.usualRate)
    }
}
