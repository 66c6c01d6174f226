import CWebP
import ThumbwheelCore

/// A decode by libwebp's incremental decoder into a canvas of RGB or RGBA. The decoder makes rows as the bytes of the
/// file arrive.
final class WebPCanvas {
    private let pixels: UnsafeMutableBufferPointer<UInt8>
    private let size: PixelSize
    private let stride: Int
    private let bottom: Int
    private let top: Int
    let stream: WebPStream

    /// - Parameters:
    ///   - size: the size of the whole canvas, which is transparent outside the frame.
    ///   - frame: the size of the decoded picture, which lies inside the canvas at `left` and `top`.
    ///   - isScaled: whether the picture is decoded at another size than its own.
    init?(_ size: PixelSize, hasAlpha: Bool, frame: PixelSize, left: Int, top: Int, isScaled: Bool) {
        precondition(left + frame.width <= size.width && top + frame.height <= size.height)
        let channels = hasAlpha ? 4 : 3
        let pixels = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: size.pixelCount * channels)
        // The canvas is cleared only if the picture leaves a part of it uncovered. Otherwise every row is written
        // before it is read. Clearing many megabytes would delay the first check of whether the decode must stop.
        if frame != size { pixels.initialize(repeating: 0) }
        let stride = size.width * channels
        let start = top * stride + left * channels
        let stream = WebPStream { configuration in
            configuration.output.colorspace = hasAlpha ? MODE_RGBA : MODE_RGB
            configuration.output.u.RGBA = WebPRGBABuffer(
                rgba: pixels.baseAddress! + start, stride: Int32(stride), size: pixels.count - start)
            if isScaled {
                configuration.options.use_scaling = 1
                configuration.options.scaled_width = Int32(frame.width)
                configuration.options.scaled_height = Int32(frame.height)
            }
        }
        guard let stream else {
            pixels.deallocate()
            return nil
        }
        self.pixels = pixels
        self.size = size
        self.stride = stride
        self.top = top
        bottom = top + frame.height
        self.stream = stream
    }

    deinit {
        pixels.deallocate()
    }

    /// The number of canvas rows, from the top, that will not change any more.
    var completeRowCount: Int {
        if stream.isComplete { return size.height }
        let count = stream.rowCount
        return count == 0 ? 0 : min(top + count, bottom)
    }

    func row(_ index: Int) -> UnsafePointer<UInt8> {
        UnsafePointer(pixels.baseAddress! + index * stride)
    }
}
