import CDav1d
import Glibc
import ThumbwheelCore

/// A decoder of AV1 pictures that uses dav1d, on the calling thread.
final class Dav1dDecoder: PictureDecoder {
    // The sequence headers from the decoder configuration (`av1C`). They are put before the coded data, which may lack
    // them.
    private let headers: [UInt8]
    private let hasLayers: Bool
    private var context: OpaquePointer?
    // The picture that was returned last, which stays valid until the next decode.
    private var picture = Dav1dPicture()

    /// The number of bytes of a decoder configuration before its sequence headers (AV1 in ISOBMFF, 2.3.3).
    private static let fixedByteCount = 4

    /// - Parameters:
    ///   - size: the size of a picture, as its item states it. dav1d refuses a larger picture before it allocates
    ///     memory.
    ///   - hasLayers: whether the picture has layers, which are decoded one by one.
    ///   - isFiltered: whether the edges of blocks are smoothed after decoding, as the standard requires. Without
    ///     smoothing, a picture without reference frames is only a little rougher. No block is predicted from smoothed
    ///     pixels, so errors do not spread.
    init(_ configuration: [UInt8], size: PixelSize, hasLayers: Bool, isFiltered: Bool) throws(RenderError) {
        self.hasLayers = hasLayers
        headers = Array(configuration.dropFirst(Self.fixedByteCount))
        var settings = Dav1dSettings()
        dav1d_default_settings(&settings)
        settings.n_threads = 1
        settings.max_frame_delay = 1
        settings.apply_grain = 0
        settings.all_layers = hasLayers ? 1 : 0
        settings.logger.callback = nil
        settings.frame_size_limit = UInt32(clamping: size.pixelCount)
        if !isFiltered { settings.inloop_filters = DAV1D_INLOOPFILTER_NONE }
        guard dav1d_open(&context, &settings) == 0 else { throw .unavailable(reason: "dav1d cannot be opened") }
    }

    deinit {
        dav1d_picture_unref(&picture)
        dav1d_close(&context)
    }

    func decode(_ data: UnsafeRawBufferPointer) throws(RenderError) -> DecodedPicture {
        dav1d_flush(context)
        return try decode(headers, data)
    }

    func decodeNextLayer(_ data: UnsafeRawBufferPointer) throws(RenderError) -> DecodedPicture {
        try decode([], data)
    }

    /// Decodes sequence headers, if any, together with the coded data that follow them, and returns the last picture.
    private func decode(_ headers: [UInt8], _ data: UnsafeRawBufferPointer) throws(RenderError) -> DecodedPicture {
        dav1d_picture_unref(&picture)
        picture = Dav1dPicture()
        var input = Dav1dData()
        guard let target = dav1d_data_create(&input, headers.count + data.count) else {
            throw .limitExceeded(limit: .memory)
        }
        defer { dav1d_data_unref(&input) }
        headers.withUnsafeBytes {
            if let bytes = $0.baseAddress {
                UnsafeMutableRawPointer(target).copyMemory(from: bytes, byteCount: $0.count)
            }
        }
        if let bytes = data.baseAddress {
            UnsafeMutableRawPointer(target + headers.count).copyMemory(from: bytes, byteCount: data.count)
        }
        // Sending data and getting pictures alternate, because a picture may be ready before dav1d has taken all data.
        // Data of several layers give several pictures; the last one is returned.
        var hasPicture = false
        while true {
            if input.sz > 0 {
                let sent = dav1d_send_data(context, &input)
                guard sent == 0 || sent == -EAGAIN else { throw Self.error(sent) }
            }
            var next = Dav1dPicture()
            let result = dav1d_get_picture(context, &next)
            if result == 0 {
                dav1d_picture_unref(&picture)
                picture = next
                if !hasLayers { return try lent() }
                hasPicture = true
                continue
            }
            if result == -EAGAIN, input.sz > 0 { continue }
            guard result == -EAGAIN, hasPicture else { throw Self.error(result) }
            return try lent()
        }
    }

    private func lent() throws(RenderError) -> DecodedPicture {
        let isGrey = picture.p.layout == DAV1D_PIXEL_LAYOUT_I400
        let format = Int(picture.p.layout.rawValue)
        let subsampling = PixelSize(chromaFormat: format)
        let size = PixelSize(width: Int(picture.p.w), height: Int(picture.p.h))
        let chroma = PixelSize(
            width: (size.width + subsampling.width - 1) / subsampling.width,
            height: (size.height + subsampling.height - 1) / subsampling.height)
        let samples = [picture.data.0, picture.data.1, picture.data.2]
        var planes: [DecodedPicture.Plane] = []
        for index in 0..<(isGrey ? 1 : 3) {
            guard let samples = samples[index] else { throw .malformed(reason: "an AV1 picture without pixels") }
            planes.append(
                DecodedPicture.Plane(
                    samples: UnsafeRawPointer(samples),
                    bytesPerRow: index == 0 ? picture.stride.0 : picture.stride.1, size: index == 0 ? size : chroma))
        }
        return DecodedPicture(
            planes: planes, bitsPerSample: Int(picture.p.bpc),
            matrix: UInt16(clamping: picture.seq_hdr.pointee.mtrx.rawValue),
            primaries: UInt16(clamping: picture.seq_hdr.pointee.pri.rawValue),
            transfer: UInt16(clamping: picture.seq_hdr.pointee.trc.rawValue),
            isFullRange: picture.seq_hdr.pointee.color_range != 0, subsampling: subsampling)
    }

    private static func error(_ code: Int32) -> RenderError {
        switch code {
        case -ENOMEM: .limitExceeded(limit: .memory)
        case -ERANGE: .malformed(reason: "an AV1 picture larger than its item")
        case -EAGAIN: .malformed(reason: "no AV1 picture in the data")
        default: .malformed(reason: "dav1d: \(String(cString: strerror(-code)))")
        }
    }
}
