/// A decoder of one video's frames. A key frame is a frame that is coded without reference to other frames.
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

    /// The time of the key frame nearest to a time, if the frame at that time can be decoded from where the last search
    /// has ended; nil if a search would begin with another key frame.
    func keyFrameSeconds(continuingTo seconds: Double) -> Double?

    /// Whether the frame that the last search has found is also the frame of this search, so that nothing would be
    /// decoded for it.
    func hasFrame(for search: FrameSearch) -> Bool

    /// Reads the coded frames from which the frame at a time is decoded, without decoding them.
    func readFrames(for search: FrameSearch) throws(RenderError)

    /// Decodes the frame at a time, or the last one before it within the search's reach.
    ///
    /// - Returns: the frame, whose picture is valid until another frame is decoded; nil if the nearest key frame is as
    ///   near.
    func decodeFrame(for search: FrameSearch) throws(RenderError) -> VideoFrame?
}
