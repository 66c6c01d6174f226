/// A key frame that was read from a video and is not decoded yet.
package struct KeyFrame: Equatable {
    /// The time stamp of the frame in the file, in units that the video's file defines. It only serves to tell key
    /// frames of one video apart.
    package let timestamp: Int64
    /// The time at which the frame is shown, in seconds from the beginning of the video.
    package let seconds: Double
    /// The number of bytes of the coded frame.
    package let byteCount: Int

    package init(timestamp: Int64, seconds: Double, byteCount: Int) {
        self.timestamp = timestamp
        self.seconds = seconds
        self.byteCount = byteCount
    }
}
