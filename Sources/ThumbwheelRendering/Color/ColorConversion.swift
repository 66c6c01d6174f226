import ThumbwheelFormats

/// The conversion to sRGB that an image's colour information requires.
enum ColorConversion: Equatable {
    /// No conversion, because the samples are sRGB, or the file says nothing about its colours.
    case none
    /// The scaled image is converted from the colours of the file's ICC profile to sRGB. This case is for samples that
    /// are RGB or grey. The conversion follows the scaling, because the scaled image has fewer pixels than the decode.
    /// If the profile turns out to be that of sRGB, no pixel is changed.
    case output
    /// The scaled image is converted by the file's code points, which are numbers that name a standard colour space
    /// (ITU-T H.273). A profile in the file is ignored.
    case coded(CodedColors)
    /// The scaled image is converted from Adobe RGB. The file has no profile, but its EXIF data say Adobe RGB.
    case adobeRGB
    /// The rows of the decode are converted before they are resampled. This case is for samples that are neither RGB
    /// nor grey, such as CMYK.
    case stream

    /// The size in bytes of the largest profile that is read. The largest real profiles, which are those of printing
    /// presses, have a few megabytes. A larger profile is ignored. But in a format whose decoders read every profile
    /// whole (`Codec.readsWholeProfile`), a file with a larger profile is refused.
    static let profileByteLimit = 8 << 20
    /// The largest compressed profile of a PNG that is read, in bytes. The profiles of printing presses compress to a
    /// few hundred kilobytes, while a megabyte in a hostile file can expand to hundreds of megabytes.
    private static let packedProfileByteLimit = 512 << 10

    init(_ head: ImageHead) {
        let isPNG = Codecs[head.contentType]?.colorPrecedence == .codePointsFirst
        let coded = head.codedColor.flatMap { CodedColors($0, isVideoRangePossible: isPNG) }
        // Code points are numbers that name a standard colour space (ITU-T H.273). In a PNG, they take precedence over
        // the ICC profile (W3C PNG, third edition, 4.3). In a HEIF file, the ICC profile takes precedence over them
        // (ISO/IEC 23008-12, 6.5.5.1).
        if let coded, isPNG || head.profile == nil {
            self = coded.isSRGB ? .none : .coded(coded)
            return
        }
        if isPNG, let profile = head.profile, profile.byteCount > Self.packedProfileByteLimit {
            self = .none
            return
        }
        self.init(head.profile)
        // A CMYK picture cannot be Adobe RGB, even if EXIF says so.
        let isCMYK = head.jpeg?.samplingFactors.count == 4
        if head.profile == nil, head.exifColorSpace == .adobeRGB, !isCMYK { self = .adobeRGB }
    }

    /// The conversion that an embedded profile requires, regardless of other information in the file.
    init(_ profile: EmbeddedProfile?) {
        guard let profile, profile.byteCount <= Self.profileByteLimit else {
            self = .none
            return
        }
        self = profile.isOfInks ? .stream : .output
    }
}

extension ImageHead {
    /// Whether the colours of the output are likely to be converted. This is a prediction that does not read the
    /// profile. It assumes that a profile named sRGB is that of sRGB.
    var isLikelyConverted: Bool {
        switch ColorConversion(self) {
        case .none: false
        case .output: !(profile?.claimsSRGB ?? false)
        case .coded, .adobeRGB, .stream: true
        }
    }
}

extension EmbeddedProfile {
    /// Whether the profile is for samples other than RGB or grey, such as inks. These samples are converted row by row
    /// before they are resampled, which only libvips does.
    var isOfInks: Bool { colorSpace != "RGB" && colorSpace != "GRAY" }

    /// Whether the profile is named sRGB, and its name does not also mention a wider gamut, such as P3. Cameras and
    /// editors give the name sRGB to other profiles, too, so only predictions rely on it.
    var claimsSRGB: Bool {
        let name = name ?? ""
        return colorSpace == "RGB" && Self.has("sRGB", name) && !Self.has("P3", name) && !Self.has("Gamut", name)
    }

    /// Whether `name` contains `part`. The bytes are compared, because every prediction of a render's cost calls this
    /// function. Comparing characters would take longer than the rest of the prediction.
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

extension ColorConversion {
    /// Converts a scaled image to sRGB. In the case `stream`, the rows have been converted before they were resampled,
    /// so the image is returned unchanged.
    ///
    /// - Parameters:
    ///   - profile: the file's ICC profile; nil if it has none.
    ///   - calibration: the colour space from a PNG's calibration chunks; nil if there is none. It is used if the file
    ///     has neither an ICC profile nor code points (numbers that name a standard colour space).
    ///   - isGrey: whether the decoded picture has a single channel of colour. If it has more, an ICC profile for grey
    ///     is ignored.
    func applied(
        to bitmap: Bitmap, profile: @autoclosure () -> [UInt8]?, calibration: CodedColors? = nil, isGrey: Bool,
        checking guardian: DecodeGuard
    ) throws(RenderError) -> Bitmap {
        switch self {
        case .none: return try calibration?.convertedToSRGB(bitmap, checking: guardian) ?? bitmap
        case .stream: return bitmap
        case .coded(let colors): return try colors.convertedToSRGB(bitmap, checking: guardian)
        case .adobeRGB: return ColorTransform.adobeRGB.applied(to: bitmap)
        case .output:
            guard let profile = profile() else { return bitmap }
            return try bitmap.convertedToSRGB(through: profile, isGrey: isGrey, checking: guardian)
        }
    }
}
