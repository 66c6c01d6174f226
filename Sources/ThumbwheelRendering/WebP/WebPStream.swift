import CWebP
import ThumbwheelCore

/// libwebp's incremental decoder, and the canvas that it decodes into.
final class WebPStream {
    private let canvas: UnsafeMutableBufferPointer<UInt8>
    private let canvasSize: PixelSize
    private let stride: Int
    private let bottom: Int
    private let top: Int
    // The decoder refers to it as long as it lives.
    private let configuration: UnsafeMutablePointer<WebPDecoderConfig>
    private let decoder: OpaquePointer
    private(set) var isComplete = false

    /// - Parameters:
    ///   - canvas: the size of the whole, which is transparent where the frame does not lie.
    ///   - frame: the decoded picture's size; with `left` and `top` it lies inside the canvas.
    ///   - isScaled: whether the picture is decoded at another size than its own.
    init?(canvas size: PixelSize, hasAlpha: Bool, frame: PixelSize, left: Int, top: Int, isScaled: Bool) {
        precondition(left + frame.width <= size.width && top + frame.height <= size.height)
        let channels = hasAlpha ? 4 : 3
        let configuration = UnsafeMutablePointer<WebPDecoderConfig>.allocate(capacity: 1)
        configuration.initialize(to: WebPDecoderConfig())
        let canvas = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: size.pixelCount * channels)
        // Where the picture covers the canvas, no row is looked at before it is written; and many megabytes would be
        // written here before anybody can look whether to stop.
        if frame != size { canvas.initialize(repeating: 0) }
        let stride = size.width * channels
        let start = top * stride + left * channels
        var decoder: OpaquePointer?
        if WebPInitDecoderConfig(configuration) != 0 {
            configuration.pointee.output.colorspace = hasAlpha ? MODE_RGBA : MODE_RGB
            configuration.pointee.output.is_external_memory = 1
            configuration.pointee.output.u.RGBA = WebPRGBABuffer(
                rgba: canvas.baseAddress! + start, stride: Int32(stride), size: canvas.count - start)
            if isScaled {
                configuration.pointee.options.use_scaling = 1
                configuration.pointee.options.scaled_width = Int32(frame.width)
                configuration.pointee.options.scaled_height = Int32(frame.height)
            }
            decoder = WebPIDecode(nil, 0, configuration)
        }
        guard let decoder else {
            configuration.deallocate()
            canvas.deallocate()
            return nil
        }
        self.canvas = canvas
        canvasSize = size
        self.stride = stride
        self.top = top
        bottom = top + frame.height
        self.configuration = configuration
        self.decoder = decoder
    }

    deinit {
        WebPIDelete(decoder)
        configuration.deallocate()
        canvas.deallocate()
    }

    /// Decodes as far as these bytes, which follow the ones before, allow.
    func append(_ bytes: [UInt8]) -> VP8StatusCode {
        guard !isComplete else { return VP8_STATUS_OK }
        let status = WebPIAppend(decoder, bytes, bytes.count)
        isComplete = status == VP8_STATUS_OK
        return status
    }

    /// Rows of the canvas that will not change any more.
    var completeRowCount: Int {
        if isComplete { return canvasSize.height }
        var lastRow: Int32 = 0
        guard WebPIDecGetRGB(decoder, &lastRow, nil, nil, nil) != nil else { return 0 }
        return min(top + Int(lastRow), bottom)
    }

    func row(_ index: Int) -> UnsafePointer<UInt8> {
        UnsafePointer(canvas.baseAddress! + index * stride)
    }
}
