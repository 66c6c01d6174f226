import CVips
import ThumbwheelCore
import ThumbwheelFormats

/// What an image's colour space asks for.
enum ColorConversion {
    /// The samples are sRGB already, or nobody says otherwise.
    case none
    /// RGB or grey of another kind: applied to the small output, because that is cheaper than to the decode.
    case output
    /// No profile, but EXIF says Adobe RGB: applied to the small output.
    case adobeRGB
    /// The samples are neither RGB nor grey: applied while rows stream, before they are resampled.
    case stream

    init(_ head: ImageHead) {
        self.init(head.profile)
        // Inks are no RGB, whatever EXIF says.
        let isCMYK = head.jpeg?.samplingFactors.count == 4
        if head.profile == nil, head.exifColorSpace == .adobeRGB, !isCMYK { self = .adobeRGB }
    }

    /// What an embedded profile asks for, whatever else the file says.
    init(_ profile: EmbeddedProfile?) {
        guard let profile else {
            self = .none
            return
        }
        if profile.isOfInks {
            self = .stream
        } else {
            self = profile.colorSpace == "RGB" && Self.isSRGB(profile.name ?? "") ? .none : .output
        }
    }

    /// Whether a profile's name is one of sRGB, and not of wider colours with sRGB's curve.
    private static func isSRGB(_ name: String) -> Bool {
        has("sRGB", name) && !has("P3", name) && !has("Gamut", name)
    }

    /// By bytes: every prediction of a cost asks, and characters would cost more than all the rest of it.
    private static func has(_ part: StaticString, _ name: String) -> Bool {
        let part = UnsafeBufferPointer(start: part.utf8Start, count: part.utf8CodeUnitCount)
        var name = name
        return name.withUTF8 { bytes in
            guard bytes.count >= part.count else { return false }
            return (0...bytes.count - part.count).contains { start in
                bytes[start] == part[0] && bytes[start..<start + part.count].elementsEqual(part)
            }
        }
    }
}

extension EmbeddedProfile {
    /// Whether samples are neither RGB nor grey: such are converted while rows stream, which only libvips does.
    var isOfInks: Bool { colorSpace != "RGB" && colorSpace != "GRAY" }
}

extension ColorConversion {
    /// Brings a small output into sRGB, where that was not done while rows streamed.
    ///
    /// - Parameters:
    ///   - profile: the file's ICC profile, where it has one.
    ///   - isGrey: whether the decode had a single channel of colour.
    func applied(
        to bitmap: Bitmap, profile: @autoclosure () -> [UInt8]?, isGrey: Bool, checking guardian: DecodeGuard
    ) throws(RenderError) -> Bitmap {
        switch self {
        case .none, .stream: return bitmap
        case .adobeRGB: return ColorTransform.adobeRGB.applied(to: bitmap)
        case .output:
            guard let profile = profile() else { return bitmap }
            return try bitmap.convertedToSRGB(through: profile, isGrey: isGrey, checking: guardian)
        }
    }
}

extension Bitmap {
    /// The same pixels in sRGB, where they are in the colour space of an ICC profile; unchanged where the profile is one
    /// that the colour management cannot use.
    ///
    /// - Parameter isGrey: whether the decode had a single channel: a grey profile says nothing about colours.
    func convertedToSRGB(
        through profile: [UInt8], isGrey: Bool = false, checking guardian: DecodeGuard
    ) throws(RenderError) -> Bitmap {
        if let transform = ColorTransformCache.shared.transform(for: profile) {
            return transform.isGrey && !isGrey ? self : transform.applied(to: self)
        }
        return try convertedByVips(through: profile, checking: guardian)
    }

    /// The same by libvips, which knows every kind of profile.
    func convertedByVips(through profile: [UInt8], checking guardian: DecodeGuard) throws(RenderError) -> Bitmap {
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

    /// Calls `body` with the bitmap as an image of libvips, which reads the pixels where they are.
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
