import CLibAV
import ThumbwheelCore
import ThumbwheelRendering

extension DecodedPicture {
    /// Makes the value of a frame, which must live as long as the value.
    ///
    /// - Throws: `.unsupportedFormat` for pixels that are not planes of samples, such as those with a palette.
    init(_ frame: UnsafeMutablePointer<AVFrame>) throws(RenderError) {
        let picture = frame.pointee
        let format = AVPixelFormat(rawValue: picture.format)
        guard let description = av_pix_fmt_desc_get(format)?.pointee else {
            throw .malformed(reason: "a frame without a pixel format")
        }
        let count = description.nb_components < 3 ? 1 : 3
        let size = PixelSize(width: Int(picture.width), height: Int(picture.height))
        guard !size.isEmpty, Self.hasPlanes(description, count: count) else { throw .unsupportedFormat }
        let subsampling = PixelSize(
            width: count == 1 ? 1 : 1 << Int(description.log2_chroma_w),
            height: count == 1 ? 1 : 1 << Int(description.log2_chroma_h))
        let chroma = PixelSize(
            width: (size.width + subsampling.width - 1) / subsampling.width,
            height: (size.height + subsampling.height - 1) / subsampling.height)
        let samples = [picture.data.0, picture.data.1, picture.data.2]
        let pitches = [picture.linesize.0, picture.linesize.1, picture.linesize.2]
        var planes: [DecodedPicture.Plane] = []
        for index in 0..<count {
            guard let samples = samples[index], pitches[index] > 0 else {
                throw .malformed(reason: "a frame without pixels")
            }
            planes.append(
                DecodedPicture.Plane(
                    samples: UnsafeRawPointer(samples), bytesPerRow: Int(pitches[index]),
                    size: index == 0 ? size : chroma))
        }
        self.init(
            planes: planes, bitsPerSample: Int(description.comp.0.depth),
            matrix: UInt16(clamping: picture.colorspace.rawValue),
            primaries: UInt16(clamping: picture.color_primaries.rawValue),
            transfer: UInt16(clamping: picture.color_trc.rawValue),
            isFullRange: picture.color_range == AVCOL_RANGE_JPEG || Self.fullRangeFormats.contains(format.rawValue),
            subsampling: subsampling)
    }

    /// Formats that mean full range by themselves.
    private static let fullRangeFormats: Set<Int32> = Set(
        [AV_PIX_FMT_YUVJ420P, AV_PIX_FMT_YUVJ422P, AV_PIX_FMT_YUVJ444P, AV_PIX_FMT_YUVJ440P, AV_PIX_FMT_YUVJ411P].map(
            \.rawValue))

    /// Whether each component has a plane of its own, with samples of 8 to 16 bits in the byte order of the processor.
    private static func hasPlanes(_ description: AVPixFmtDescriptor, count: Int) -> Bool {
        let refused = UInt64(
            AV_PIX_FMT_FLAG_PAL | AV_PIX_FMT_FLAG_BITSTREAM | AV_PIX_FMT_FLAG_HWACCEL | AV_PIX_FMT_FLAG_BE)
        guard description.flags & refused == 0 else { return false }
        let components = [description.comp.0, description.comp.1, description.comp.2]
        let depth = components[0].depth
        return 8...16 ~= depth
            && components.prefix(count).enumerated().allSatisfy { index, component in
                component.depth == depth && component.step == (depth > 8 ? 2 : 1) && component.shift == 0
                    && component.offset == 0 && (count == 1 || Set(components.map(\.plane)).count == 3)
            }
    }
}
