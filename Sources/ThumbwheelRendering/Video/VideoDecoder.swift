/// A decoder of one video's key frames. A key frame is a frame that is coded without reference to other frames.
///
/// Each decode uses a decoder of its own, on one thread.
package protocol VideoDecoder: AnyObject {
    /// Reads the key frame whose time is nearest to a time, without decoding it.
    ///
    /// - Parameter seconds: the time from the beginning of the video, in seconds; not negative.
    func readKeyFrame(nearestTo seconds: Double) throws(RenderError) -> KeyFrame

    /// Decodes the key frame that was read last.
    ///
    /// - Parameter isFiltered: whether the filters that smooth the edges of blocks after decoding are applied.
    /// - Returns: the frame, whose picture is valid until another frame is decoded.
    func decode(isFiltered: Bool) throws(RenderError) -> VideoFrame
}
