import ThumbwheelCore
import ThumbwheelFormats

/// Opens pictures and thumbnails of HEIF and AVIF files.
struct HEIFOpener {
    private let input: DecoderInput

    /// The factor of reduction from which on nobody sees whether the edges of blocks were smoothed.
    private static let unfilteredReduction = 4

    init(_ input: DecoderInput) {
        self.input = input
    }

    /// Opens the picture of the file for decoding.
    ///
    /// - Returns: nil if the file's items are combined in a way that this library does not support.
    func open() throws(RenderError) -> (any RowDecoder)? {
        guard let images = try HEIFImages(in: input.bytes) else { return nil }
        let image = images.picture
        let isWhole = image.transform.shownSize == image.canvas && !images.hasAlpha
        var options = TiledDecode.Options(name: input.decoder)
        options.isFiltered = input.reduction < Self.unfilteredReduction
        options.reduction = isWhole ? input.reduction : 1
        let display = image.displaySize
        let box = input.region.stored(
            under: image.transform.orientation, displayWidth: Double(display.width),
            displayHeight: Double(display.height))
        options.start = (
            image.transform.x + Int(max(0, min(box.x, 1e9))), image.transform.y + Int(max(0, min(box.y, 1e9)))
        )
        guard
            let decode = try TiledDecode(
                input.bytes, image, options, limits: input.limits, guardian: input.guardian)
        else { return nil }
        let profile = input.conversion == .output ? try image.profile(in: input.bytes) : nil
        if isWhole { return HEIFRows(decode, profile: profile) }
        var alpha: TiledDecode?
        if images.hasAlpha {
            guard let item = images.alpha,
                let opened = try TiledDecode(
                    input.bytes, item, TiledDecode.Options(name: input.decoder), limits: input.limits,
                    guardian: input.guardian)
            else { return nil }
            alpha = opened
        }
        return try HEIFPixels(
            decode, alpha: alpha, isPremultiplied: input.head.hasPremultipliedAlpha, profile: profile)
    }
}
