import CWebP

/// Wraps libwebp's incremental decoder, which decodes rows as the bytes of the picture are passed to it.
final class WebPStream {
    // The decoder keeps this pointer, so the configuration must live as long as the decoder.
    private let configuration: UnsafeMutablePointer<WebPDecoderConfig>
    private let decoder: OpaquePointer
    private(set) var isComplete = false

    /// - Parameter configure: sets the memory that the decoder writes to, and its options. The memory must outlive the
    ///   decoder.
    /// - Returns: nil if libwebp does not start.
    init?(_ configure: (inout WebPDecoderConfig) -> Void) {
        let configuration = UnsafeMutablePointer<WebPDecoderConfig>.allocate(capacity: 1)
        configuration.initialize(to: WebPDecoderConfig())
        var decoder: OpaquePointer?
        if WebPInitDecoderConfig(configuration) != 0 {
            configuration.pointee.output.is_external_memory = 1
            configure(&configuration.pointee)
            decoder = WebPIDecode(nil, 0, configuration)
        }
        guard let decoder else {
            configuration.deallocate()
            return nil
        }
        self.configuration = configuration
        self.decoder = decoder
    }

    deinit {
        WebPIDelete(decoder)
        configuration.deallocate()
    }

    /// Lets the decoder decode as many rows as the picture's first bytes allow.
    ///
    /// - Parameter bytes: all bytes of the picture that are known, from the first on. They must contain the bytes of the
    ///   call before, at the same address. The decoder reads them in place. If it were given only the new bytes, it
    ///   would copy all bytes of a lossless picture with each call, which takes time quadratic in their number.
    func decode(_ bytes: UnsafeRawBufferPointer) -> VP8StatusCode {
        guard !isComplete else { return VP8_STATUS_OK }
        let status = WebPIUpdate(decoder, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), bytes.count)
        isComplete = status == VP8_STATUS_OK
        return status
    }

    /// The number of rows, from the top, that will not change any more. The number is valid only for an incomplete
    /// picture. Once `isComplete` is true, all rows are final.
    var rowCount: Int {
        var height: Int32 = 0
        return WebPIDecodedArea(decoder, nil, nil, nil, &height) == nil ? 0 : Int(height)
    }
}
