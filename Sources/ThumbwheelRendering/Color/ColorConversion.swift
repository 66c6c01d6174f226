import ThumbwheelFormats

/// What an image's colour space asks for.
enum ColorConversion: Equatable {
    /// The samples are sRGB already, or nobody says otherwise.
    case none
    /// RGB or grey with a profile: applied to the small output, which is cheaper than to the decode. Only reading the
    /// profile shows whether it is sRGB's.
    case output
    /// Code points instead of a profile: applied to the small output.
    case coded(CodedColors)
    /// No profile, but EXIF says Adobe RGB: applied to the small output.
    case adobeRGB
    /// The samples are neither RGB nor grey: applied while rows stream, before they are resampled.
    case stream

    /// The largest profiles, of printing presses, have a few megabytes; larger ones are ignored.
    static let profileByteLimit = 8 << 20
    /// The limit for a PNG's profile, which is compressed. Printing presses' profiles compress to some hundred
    /// kilobytes, while a megabyte of repetition expands to hundreds.
    private static let packedProfileByteLimit = 512 << 10

    init(_ head: ImageHead) {
        let isPNG = Codecs[head.contentType]?.colorRules == .codePointsFirst
        let coded = head.codedColor.flatMap { CodedColors($0, isVideoRangePossible: isPNG) }
        // Code points count before a PNG's profile (W3C PNG, third edition, 4.3), but after a HEIF file's (ISO/IEC
        // 23008-12, 6.5.5.1).
        if let coded, isPNG || head.profile == nil {
            self = coded.isSRGB ? .none : .coded(coded)
            return
        }
        if isPNG, let profile = head.profile, profile.byteCount > Self.packedProfileByteLimit {
            self = .none
            return
        }
        self.init(head.profile)
        // Inks are no RGB, whatever EXIF says.
        let isCMYK = head.jpeg?.samplingFactors.count == 4
        if head.profile == nil, head.exifColorSpace == .adobeRGB, !isCMYK { self = .adobeRGB }
    }

    /// What an embedded profile asks for, whatever else the file says.
    init(_ profile: EmbeddedProfile?) {
        guard let profile, profile.byteCount <= Self.profileByteLimit else {
            self = .none
            return
        }
        self = profile.isOfInks ? .stream : .output
    }
}

extension ImageHead {
    /// Whether the output's colours are likely to be converted. A prediction reads nothing, so it believes a profile
    /// that calls itself sRGB.
    var isLikelyConverted: Bool {
        switch ColorConversion(self) {
        case .none: false
        case .output: !(profile?.claimsSRGB ?? false)
        case .coded, .adobeRGB, .stream: true
        }
    }
}

extension EmbeddedProfile {
    /// Whether samples are neither RGB nor grey. Such samples are converted while rows stream, which only libvips does.
    var isOfInks: Bool { colorSpace != "RGB" && colorSpace != "GRAY" }

    /// Whether the profile calls itself sRGB, and not a wider space with sRGB's curve. Cameras and editors give that
    /// name to other profiles, too, so only predictions rely on it.
    var claimsSRGB: Bool {
        let name = name ?? ""
        return colorSpace == "RGB" && Self.has("sRGB", name) && !Self.has("P3", name) && !Self.has("Gamut", name)
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

extension ColorConversion {
    /// Brings a small output into sRGB, where that was not done while rows streamed.
    ///
    /// - Parameters:
    ///   - profile: the file's ICC profile, where it has one.
    ///   - calibration: what counts where neither a profile nor code points do.
    ///   - isGrey: whether the decode had a single channel of colour.
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
