/// The conversion between red, green and blue on one side, and luma and chroma on the other. All its numbers follow
/// from the weights of red and blue in luma (ITU-T H.273, 8.3).
struct LumaMatrix: Sendable {
    /// ITU-R BT.601, which JFIF and most HEIF files use.
    static let bt601 = LumaMatrix(red: 0.299, blue: 0.114)
    /// ITU-R BT.709.
    static let bt709 = LumaMatrix(red: 0.2126, blue: 0.0722)
    /// ITU-R BT.2020 with non-constant luminance.
    static let bt2020 = LumaMatrix(red: 0.2627, blue: 0.0593)
    /// SMPTE 240M.
    static let smpte240 = LumaMatrix(red: 0.212, blue: 0.087)

    /// The weights that turn chroma (Cb and Cr) into colours. The four numbers are, in this order, half of:
    /// - the weight of Cr in red, minus 1
    /// - the weight of Cb in green, without its minus sign
    /// - the weight of Cr in green, without its minus sign
    /// - the weight of Cb in blue, minus 1
    ///
    /// Each number is stored in 16 signed bits, in units of 1/65536, so it must be less than a half. The weights in red
    /// and blue lie between 1 and 2, so 1 is subtracted from them and the numbers are halved. `PixelConverter` makes up
    /// for both.
    let factors: FixedFactors
    /// The factors that turn red, green and blue into luma and chroma. This is the inverse of the conversion by
    /// `factors`.
    ///
    /// Each factor is stored in 16 signed bits, in units of 1/65536, so it must be less than a half. Three of the
    /// factors are larger, and are stored as their difference from a half or from 1. The order is:
    /// - the weight of red in luma
    /// - the weight of green in luma, minus a half
    /// - the weight of blue in luma
    /// - 1 minus the factor that turns blue minus luma into Cb
    /// - 1 minus the factor that turns red minus luma into Cr
    let inverse: FixedFactors

    private init(red: Double, blue: Double) {
        let green = 1 - red - blue
        let (redness, blueness) = (2 * (1 - red), 2 * (1 - blue))
        func fixed(_ value: Double) -> Int16 { Int16((value * 65536).rounded()) }
        factors = FixedFactors(
            fixed((redness - 1) / 2), fixed(blueness * blue / green / 2), fixed(redness * red / green / 2),
            fixed((blueness - 1) / 2))
        inverse = FixedFactors(
            fixed(red), fixed(green - 0.5), fixed(blue), fixed(1 - 1 / blueness), fixed(1 - 1 / redness))
    }
}
