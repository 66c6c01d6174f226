/// The facts about a bitmap in linear light that depend on all of its pixels.
struct LightSummary {
    /// The weights of linear red, green and blue in the luminance (ITU-R BT.709, 3.2).
    private static let luminance = SIMD4<Float>(0.2126, 0.7152, 0.0722, 0)
    /// The luminance above which a pixel counts as brighter than white. It is slightly above 1, because rounding alone
    /// can raise white above 1.
    private static let white: Float = 1 + 1 / 256

    /// Whether every pixel is opaque, so that an image of 8-bit samples needs no alpha.
    private(set) var isOpaque = true
    /// Whether a pixel is brighter than white. If so, a conversion to 8-bit samples applies a tone map.
    private(set) var isBright = false

    /// - Parameter pixels: pixels in the format `linearRGBA`.
    init(_ pixels: UnsafeRawBufferPointer) {
        for place in stride(from: 0, to: pixels.count, by: 8) {
            let color = HalfFloat.color(at: pixels.baseAddress! + place)
            if color.w < 1 { isOpaque = false }
            if (color * Self.luminance).sum() > Self.white { isBright = true }
        }
    }
}
