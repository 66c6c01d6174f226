import CVips
import ThumbwheelCore
import ThumbwheelFormats

extension Bitmap {
    /// The bitmap converted from an ICC profile to sRGB. It is unchanged if the profile is sRGB's own, or if neither
    /// this library nor libvips can apply the profile.
    ///
    /// - Parameter isGrey: whether the decoded picture has a single channel of colour. If it has more, a profile for
    ///   grey is ignored.
    func convertedToSRGB(
        through profile: [UInt8], isGrey: Bool = false, checking guardian: DecodeGuard
    ) throws(RenderError) -> Bitmap {
        // A profile may also contain code points, which are numbers that name a standard colour space (ITU-T H.273). If
        // the code points name PQ or HLG, they are used, and the profile's curves and tables are not. PQ and HLG are
        // encodings of high dynamic range. The profile's curves and tables do not say how bright white is.
        if let coded = ProfileTags.codedColor(in: profile), coded.isFullRange,
            let colors = CodedColors(coded, isVideoRangePossible: false), colors.transfer.isHighDynamicRange
        {
            return try colors.convertedToSRGB(self, checking: guardian)
        }
        if let transform = ColorTransformCache.shared.transform(for: profile) {
            guard !transform.isSRGB, isGrey || !transform.isGrey else { return self }
            return transform.applied(to: self)
        }
        return try convertedByVips(through: profile, checking: guardian)
    }

    /// Converts the bitmap from an ICC profile to sRGB by libvips, which can apply every kind of profile.
    func convertedByVips(through profile: [UInt8], checking guardian: DecodeGuard) throws(RenderError) -> Bitmap {
        try guardian.checkForeignCodeIsAllowed()
        var interruption: RenderError?
        let converted = withVipsImage { own -> Bitmap? in
            vips_image_set_blob_copy(own.image, VIPS_META_ICC_NAME, profile, profile.count)
            guard let srgb = own.appliedProfile(fallback: "srgb"), srgb.bands == format.bytesPerPixel,
                srgb.format == VIPS_FORMAT_UCHAR
            else { return nil }
            var isComplete = false
            let bitmap = Bitmap(size: size, format: format) { pixels in
                var offset = 0
                let rowBytes = size.width * format.bytesPerPixel
                let end = srgb.forEachRow(in: 0..<size.height, checking: guardian) { row in
                    UnsafeMutableRawBufferPointer(rebasing: pixels[offset..<offset + rowBytes])
                        .copyMemory(from: UnsafeRawBufferPointer(start: row, count: rowBytes))
                    offset += rowBytes
                }
                switch end {
                case .complete: isComplete = true
                case .interrupted(_, let reason): interruption = reason
                case .failed: break
                }
            }
            return isComplete ? bitmap : nil
        }
        if let interruption { throw interruption }
        if converted == nil { _ = takeVipsMessage() }
        return converted ?? self
    }

    /// Calls `body` with the bitmap as an image of libvips. libvips reads the pixels in place, without a copy.
    func withVipsImage<Result>(_ body: (borrowing VipsHandle) -> Result?) -> Result? {
        withUnsafeBytes { pixels -> Result? in
            guard
                let memory = vips_image_new_from_memory(
                    pixels.baseAddress, pixels.count, Int32(size.width), Int32(size.height),
                    Int32(format.bytesPerPixel), VIPS_FORMAT_UCHAR)
            else { return nil }
            let plain = VipsHandle(owning: memory)
            guard let image = VipsHandle({ tw_vips_copy_as_srgb(plain.image, $0) }) else { return nil }
            return body(image)
        }
    }
}
