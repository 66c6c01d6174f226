import ThumbwheelCore
import ThumbwheelFormats

/// Makes an image of each frame of a video that is exported. The caller decodes the frames one after the other. The
/// images are upright, have square pixels and the colours of sRGB, and high dynamic range is mapped to the standard
/// range, as in the images that `Renderer` makes of single frames.
package final class FrameRenderer {
    /// Takes the place of a decoder: hands out the frame of which an image is being made.
    private final class CurrentFrame: VideoDecoder {
        var frame: VideoFrame?
        private var number: Int64 = 0

        func readKeyFrame(nearestTo seconds: Double) -> KeyFrame {
            // Each frame gets a new number as its time stamp. `VideoReading` keeps the frame that was decoded last, and
            // takes equal time stamps for the same frame. So with an old number, it would show that frame again.
            number += 1
            return KeyFrame(timestamp: number, seconds: seconds, byteCount: 0)
        }

        func keyFrameSeconds(continuingTo seconds: Double) -> Double? { nil }

        func hasFrame(for search: FrameSearch) -> Bool { false }

        func readFrames(for search: FrameSearch) {}

        func decodeFrame(for search: FrameSearch) -> VideoFrame? { nil }

        func decode(isFiltered: Bool) throws(RenderError) -> VideoFrame {
            guard let frame else { throw .malformed(reason: "no frame") }
            return frame
        }
    }

    private let current = CurrentFrame()
    private let reading: VideoReading
    private let head: ImageHead
    private let options: RenderOptions
    private let limits: RenderLimits

    /// - Parameter size: the size of the images.
    package init(_ head: VideoHead, size: PixelSize, limits: RenderLimits) {
        reading = VideoReading(head, decoder: current)
        self.head = ImageHead(contentType: head.contentType, storedSize: head.displaySize)
        var options = RenderOptions(targetSize: size, contentMode: .aspectFill, resizeMode: .exact)
        options.frameTime = 0
        options.allowsUpscaling = true
        self.options = options
        self.limits = limits
    }

    /// Makes the image of a frame.
    package func bitmap(of frame: VideoFrame) throws(RenderError) -> Bitmap {
        current.frame = frame
        defer { current.frame = nil }
        let images = try RenderJob.run(
            MemoryByteSource([]), head: head, options: [options], limits: limits,
            guardian: DecodeGuard(cancellation: nil, duration: limits.duration), video: reading)
        return images[0].bitmap
    }
}
