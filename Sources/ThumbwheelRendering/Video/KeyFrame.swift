/// A key frame that was read from a video and is not decoded yet.
package struct KeyFrame: Equatable {
    /// A number that is different for each key frame of a video.
    package let timestamp: Int64
    /// The number of bytes of its data.
    package let byteCount: Int

    package init(timestamp: Int64, byteCount: Int) {
        self.timestamp = timestamp
        self.byteCount = byteCount
    }
}
