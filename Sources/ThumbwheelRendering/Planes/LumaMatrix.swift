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

    /// The weights that turn chroma into colours. All are halved, and 1 is subtracted from two of them, because a
    /// factor in 16 bits must be less than a half; `PixelConverter` compensates for both. Blueness is the chroma Cb,
    /// and redness is Cr:
    /// - the weight of redness in red, minus 1
    /// - the weight of blueness in green, without its sign
    /// - the weight of redness in green, without its sign
    /// - the weight of blueness in blue, minus 1
    let factors: FixedFactors
    /// The weights of the conversion back to luma and chroma, changed so that each is less than a half and fits 16
    /// bits:
    /// - for luma, the weight of red, the weight of green minus a half, and the weight of blue
    /// - for Cb, 1 minus the factor by which blue minus luma is multiplied; for Cr, 1 minus the factor by which red
    ///   minus luma is multiplied
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
