import CWebP

/// libwebp's incremental decoder.
final class WebPStream {
    // The decoder refers to it as long as it lives.
    private let configuration: UnsafeMutablePointer<WebPDecoderConfig>
    private let decoder: OpaquePointer
    private(set) var isComplete = false

    /// - Parameter configure: sets where and how it decodes. Memory that it names must outlive the decoder.
    /// - Returns: nil if the library does not start.
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

    /// Decodes as far as these bytes, which follow the ones before, allow.
    func append(_ bytes: [UInt8]) -> VP8StatusCode {
        guard !isComplete else { return VP8_STATUS_OK }
        let status = WebPIAppend(decoder, bytes, bytes.count)
        isComplete = status == VP8_STATUS_OK
        return status
    }

    /// Rows of the picture that will not change any more, until it is complete.
    var rowCount: Int {
        var height: Int32 = 0
        return WebPIDecodedArea(decoder, nil, nil, nil, &height) == nil ? 0 : Int(height)
    }
}
