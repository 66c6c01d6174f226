/// The mapping of colours outside sRGB, which an sRGB screen cannot show, to colours inside sRGB.
enum GamutMap {
    /// The weights of linear red, green and blue in the luminance (ITU-R BT.709, 3.2).
    private static let luminance = SIMD3<Float>(0.2126, 0.7152, 0.0722)

    /// The nearest colour inside sRGB that has the same luminance and hue. A colour outside sRGB is mixed with as
    /// little grey of the same luminance as is needed. Clipping each channel by itself would turn saturated greens to
    /// yellow and saturated reds to orange.
    ///
    /// - Parameter color: linear light, in which 1 is white.
    static func insideSRGB(_ color: SIMD3<Float>) -> SIMD3<Float> {
        let (least, most) = (color.min(), color.max())
        guard least < 0 || most > 1 else { return color }
        let grey = max(0, min(1, (color * luminance).sum()))
        var share: Float = 1
        if least < 0 { share = min(share, grey / (grey - least)) }
        if most > 1 { share = min(share, (1 - grey) / (most - grey)) }
        return SIMD3(repeating: grey) + (color - SIMD3(repeating: grey)) * share
    }
}
