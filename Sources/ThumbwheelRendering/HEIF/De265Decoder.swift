import CDe265
import ThumbwheelCore

/// A decoder of HEVC pictures that uses libde265, on the calling thread.
final class De265Decoder: PictureDecoder {
    private let configuration: HEVCConfiguration
    private let context: UnsafeMutableRawPointer
    // Whether the decoder has the parameter sets, and whether it has decoded all pictures so far without an error.
    private var hasParameterSets = false
    private var isSound = true

    /// Keeps the tables of the library in memory from the first decoder on. Without this, each decoder would make them
    /// again, and the last one would free them.
    private static let keepsTables: Bool = de265_isOK(de265_init()) != 0

    /// Makes a decoder for pictures with one configuration.
    ///
    /// - Parameter isFiltered: whether the edges of blocks are smoothed after decoding, as the standard requires.
    ///   Without smoothing, the picture is only a little rougher. No block is predicted from smoothed pixels, so errors
    ///   do not spread.
    init(_ configuration: HEVCConfiguration, isFiltered: Bool) throws(RenderError) {
        guard Self.keepsTables, let context = de265_new_decoder() else {
            throw .unavailable(reason: "libde265 has no memory")
        }
        self.configuration = configuration
        self.context = context
        guard !isFiltered else { return }
        de265_set_parameter_bool(context, DE265_DECODER_PARAM_DISABLE_DEBLOCKING, 1)
        de265_set_parameter_bool(context, DE265_DECODER_PARAM_DISABLE_SAO, 1)
    }

    deinit {
        de265_free_decoder(context)
    }

    func decode(_ data: UnsafeRawBufferPointer) throws(RenderError) -> DecodedPicture {
        while de265_get_next_picture(context) != nil {}
        // A picture that starts a sequence needs nothing of the pictures before it, so the decoder goes on with the
        // parameter sets that it has. After an error it begins anew.
        if !hasParameterSets || !isSound || !configuration.startsSequence(data) {
            if hasParameterSets { de265_reset(context) }
            for set in configuration.parameterSets {
                try set.span.bytes.withUnsafeBytes { bytes throws(RenderError) in try push(bytes) }
            }
            hasParameterSets = true
        }
        isSound = false
        try configuration.forEachUnit(in: data) { unit throws(RenderError) in try push(unit) }
        guard de265_isOK(de265_flush_data(context)) != 0 else { throw Self.damage("libde265 takes no more data") }
        // Decodes until a picture is ready. `more` does not become 0 at that point, because libde265 reports remaining
        // work until the picture is taken.
        var more: Int32 = 1
        while more != 0, de265_peek_next_picture(context) == nil {
            let result = de265_decode(context, &more)
            guard de265_isOK(result) != 0 else { throw Self.error(result) }
        }
        try checkWarnings()
        guard let image = de265_get_next_picture(context) else { throw Self.damage("no HEVC picture in the data") }
        let picture = try picture(image)
        isSound = true
        return picture
    }

    private func push(_ unit: UnsafeRawBufferPointer) throws(RenderError) {
        let result = de265_push_NAL(context, unit.baseAddress, Int32(clamping: unit.count), 0, nil)
        guard de265_isOK(result) != 0 else { throw Self.error(result) }
    }

    /// Throws if libde265 has given a warning. libde265 continues after damage and only warns, so a warning means that
    /// pixels are missing.
    private func checkWarnings() throws(RenderError) {
        var damage: de265_error?
        while case let warning = de265_get_warning(context), warning != DE265_OK {
            damage = damage ?? warning
        }
        if let damage { throw Self.error(damage) }
    }

    private func picture(_ image: OpaquePointer) throws(RenderError) -> DecodedPicture {
        let format = de265_get_chroma_format(image)
        let count: Int32 = format == de265_chroma_mono ? 1 : 3
        var planes: [DecodedPicture.Plane] = []
        for channel in 0..<count {
            var bytesPerRow: Int32 = 0
            guard let samples = de265_get_image_plane(image, channel, &bytesPerRow) else {
                throw Self.damage("an HEVC picture without pixels")
            }
            planes.append(
                DecodedPicture.Plane(
                    samples: UnsafeRawPointer(samples), bytesPerRow: Int(bytesPerRow),
                    size: PixelSize(
                        width: Int(de265_get_image_width(image, channel)),
                        height: Int(de265_get_image_height(image, channel)))))
        }
        return DecodedPicture(
            planes: planes, bitsPerSample: Int(de265_get_bits_per_pixel(image, 0)),
            matrix: UInt16(clamping: de265_get_image_matrix_coefficients(image)),
            primaries: UInt16(clamping: de265_get_image_colour_primaries(image)),
            transfer: UInt16(clamping: de265_get_image_transfer_characteristics(image)),
            isFullRange: de265_get_image_full_range_flag(image) != 0,
            subsampling: PixelSize(chromaFormat: Int(format.rawValue)))
    }

    private static func error(_ code: de265_error) -> RenderError {
        if code == DE265_ERROR_OUT_OF_MEMORY { return .limitExceeded(limit: .memory) }
        return damage(String(cString: de265_get_error_text(code)))
    }

    private static func damage(_ reason: String) -> RenderError { .malformed(reason: reason) }
}
