import ThumbwheelFormats

/// The conversion from an image's samples to linear light with the primaries of sRGB, in which 1 is white.
///
/// Unlike `ColorTransform` and `HighDynamicRange`, this conversion neither rounds samples to 8 bits nor clips light or
/// colours. Its steps are:
///
/// 1. from samples to light, by a curve for each channel; a curve is a table, and light between two of its entries is
///    interpolated,
/// 2. for HLG, from the light of the scene to the light of a screen,
/// 3. a matrix to the primaries of sRGB.
final class LightConversion: Sendable {
    /// The number of intervals into which a curve is divided. With so many intervals, interpolated light differs from
    /// the exact light by at most the distance between two neighbouring half floats.
    private static let stepCount = 4096
    /// The number of table entries of a curve. Each end of an interval has one entry. The last entry is stored twice,
    /// because interpolation at the end of the curve also reads the entry after the last one.
    private static let pitch = stepCount + 2

    // The tables of light for red, then for green, then for blue, with `pitch` entries each.
    private let curves: [Float]
    // The columns of the colour matrix: the amounts that red, green and blue add to a colour.
    private let columns: [SIMD4<Float>]
    // The weights by which HLG computes the luminance of the scene; nil for any other curve.
    private let luminance: SIMD3<Float>?

    /// Makes a conversion.
    ///
    /// - Parameters:
    ///   - curves: for each channel, the function from the value of a sample, from 0 to 1, to linear light.
    ///   - matrix: the matrix from the primaries of the colour space to those of sRGB; nil if the primaries are the
    ///     same.
    ///   - luminance: for HLG, the weights of red, green and blue in the luminance of the scene; otherwise nil.
    init(curves: [(Double) -> Double], matrix: Matrix3?, luminance: SIMD3<Double>? = nil) {
        precondition(curves.count == 3)
        self.curves = curves.flatMap { light in
            (0..<Self.pitch).map { Float(light(Double(min($0, Self.stepCount)) / Double(Self.stepCount))) }
        }
        let rows = matrix?.rows ?? [SIMD3(1, 0, 0), SIMD3(0, 1, 0), SIMD3(0, 0, 1)]
        columns = (0..<3).map { SIMD4(Float(rows[0][$0]), Float(rows[1][$0]), Float(rows[2][$0]), 0) }
        self.luminance = luminance.map { SIMD3<Float>($0) }
    }

    /// Converts pixels whose samples go from 0 to 1. Samples outside that range are clipped; they arise only when a
    /// resampling kernel overshoots. Alpha is unchanged.
    func apply(to pixels: UnsafeMutableBufferPointer<SIMD4<Float>>) {
        let (red, green, blue) = (columns[0], columns[1], columns[2])
        let luminance = luminance
        curves.withUnsafeBufferPointer { curves in
            @inline(__always) func light(_ sample: Float, _ channel: Int) -> Float {
                let place = max(0, min(1, sample)) * Float(Self.stepCount)
                let index = Int(place)
                let start = curves[channel &* Self.pitch &+ index]
                return start + (curves[channel &* Self.pitch &+ index &+ 1] - start) * (place - Float(index))
            }
            for index in pixels.indices {
                let pixel = pixels[index]
                var color = SIMD3(light(pixel.x, 0), light(pixel.y, 1), light(pixel.z, 2))
                if let luminance {
                    color *= HighDynamicRange.displayGain(sceneLuminance: (color * luminance).sum())
                }
                var converted = red * color.x + green * color.y + blue * color.z
                converted.w = pixel.w
                pixels[index] = converted
            }
        }
    }
}

extension LightConversion {
    /// The conversion from samples in sRGB.
    static let sRGB = LightConversion(curves: Array(repeating: CodedTransfer.sRGB.light, count: 3), matrix: nil)

    /// The conversion from samples in Adobe RGB (1998), whose curve is a power of 563/256.
    static let adobeRGB = LightConversion(
        curves: Array(repeating: ToneCurve.power(563.0 / 256).light, count: 3),
        matrix: (Matrix3.sRGB.inverse ?? .sRGB) * .adobeRGB)

    /// Makes the conversion from samples in a colour space that is given by code points or by equivalent numbers. Code
    /// points are numbers that name standard colour spaces (ITU-T H.273).
    ///
    /// - Parameter sampleBits: the number of bits of the decoded samples. It matters in video range, where black is not
    ///   0 and white is not the largest sample. With 8 bits, black is 16/255 and white is 235/255 of the largest
    ///   sample. With 16 bits, black is 16·256/65535 and white is 235·256/65535, which are slightly different
    ///   fractions.
    /// - Returns: nil if the primaries cannot belong to real colours.
    convenience init?(_ colors: CodedColors, sampleBits: Int) {
        guard let fromXYZ = Matrix3.sRGB.inverse, let toXYZ = colors.space.toXYZUnderD50.real else { return nil }
        let largest = sampleBits > 8 ? 65535.0 / 256 : 255
        let unit = colors.transfer == .pq ? ToneMap.white : 1
        let light = { (sample: Double) -> Double in
            let level = colors.isVideoRange ? (sample * largest - 16) / 219 : sample
            return colors.transfer.light(max(0, min(1, level))) / unit
        }
        self.init(
            curves: [light, light, light], matrix: colors.space == .sRGB ? nil : fromXYZ * toXYZ,
            luminance: colors.transfer == .hlg ? colors.space.toXYZ.rows[1] : nil)
    }

    /// Returns the conversion from samples whose colour space an ICC profile describes. The samples are treated as sRGB
    /// in two cases: if the profile is that of sRGB, and if the profile is for grey but the picture has colours.
    ///
    /// - Parameter isGrey: whether the decoded picture has a single channel of colour.
    /// - Returns: nil if only libvips can apply the profile.
    static func conversion(of profile: [UInt8], isGrey: Bool) -> LightConversion? {
        if let coded = ProfileTags.codedColor(in: profile), coded.isFullRange,
            let colors = CodedColors(coded, isVideoRangePossible: false), colors.transfer.isHighDynamicRange
        {
            return LightConversion(colors, sampleBits: 8) ?? .sRGB
        }
        guard let transform = ColorTransformCache.shared.transform(for: profile) else { return nil }
        guard !transform.isSRGB, isGrey || !transform.isGrey else { return .sRGB }
        switch ProfileModel(profile) {
        case .rgb(let curves, let toXYZ)?:
            return LightConversion(
                curves: curves.map { curve in curve.light }, matrix: (Matrix3.sRGB.inverse ?? .sRGB) * toXYZ)
        case .grey(let luminance)?:
            let light = { (sample: Double) in max(0, min(1, luminance(sample))) }
            return LightConversion(curves: [light, light, light], matrix: nil)
        case nil: return nil
        }
    }
}

extension Matrix3 {
    /// This matrix, if all its numbers are finite; otherwise nil.
    fileprivate var real: Matrix3? { rows.allSatisfy { $0.x.isFinite && $0.y.isFinite && $0.z.isFinite } ? self : nil }
}

extension ColorConversion {
    /// Returns the conversion from decoded samples to linear light. Returns nil if only libvips can apply the profile.
    /// libvips then converts 8-bit samples to sRGB, and the finished image is converted to linear light.
    ///
    /// - Parameters:
    ///   - profile: the file's ICC profile; nil if it has none.
    ///   - calibration: the colour space from a PNG's calibration chunks; nil if there is none.
    ///   - isGrey: whether the decoded picture has a single channel of colour. If it has more, an ICC profile for grey
    ///     is ignored, and the samples are taken as sRGB.
    ///   - sampleBits: the number of bits of the decoded samples.
    func light(
        profile: @autoclosure () -> [UInt8]?, calibration: CodedColors? = nil, isGrey: Bool, sampleBits: Int = 8
    ) -> LightConversion? {
        switch self {
        case .none: calibration.flatMap { LightConversion($0, sampleBits: sampleBits) } ?? .sRGB
        // In the case `stream`, the samples are sRGB already, because the rows were converted before they were
        // resampled.
        case .stream: .sRGB
        case .coded(let colors): LightConversion(colors, sampleBits: sampleBits) ?? .sRGB
        case .adobeRGB: .adobeRGB
        case .output:
            if let profile = profile() { LightConversion.conversion(of: profile, isGrey: isGrey) } else { .sRGB }
        }
    }
}
