/// The conversion of a PNG's samples to bytes, or to words of 16 bits. Samples are copied, widened to 8 bits, looked up
/// in the palette, or given alpha if one colour is transparent (W3C PNG, third edition, 13.12 and 13.16).
enum PNGSamples {
    /// The samples are bytes already.
    case bytes
    /// The samples are grey values of less than eight bits; `levels` holds the byte for each value.
    case narrowGrey(levels: [UInt8])
    /// The samples are indices into `colors`. Each colour holds red, green, blue and alpha, from the lowest byte on.
    case indexed(colors: [UInt32])
    /// The samples are grey or RGB, and pixels that equal the bytes in `pixel` are transparent. `levels` holds the byte
    /// for each value of a sample with up to eight bits.
    case keyed(pixel: [UInt8], levels: [UInt8])
    /// The samples have 16 bits, all of which are kept. Pixels that equal the bytes in `key` are transparent; `key` is
    /// nil if no colour is transparent.
    case words(key: [UInt8]?)

    /// - Parameter keepsAllBits: whether samples of 16 bits keep all their bits, instead of being reduced to 8.
    init(_ container: PNGContainer, keepsAllBits: Bool) {
        let (header, transparency) = (container.header, container.transparency)
        if keepsAllBits, header.depth == 16 {
            self = .words(key: transparency)
            return
        }
        // Samples of 2 and 4 bits are multiplied by 85 and 17, so that the largest value becomes 255.
        let largest = 1 << min(header.depth, 8) - 1
        let levels = (0...largest).map { UInt8($0 * 255 / largest) }
        switch header.colorType {
        case .indexed:
            self = .indexed(colors: Self.colors(container.palette, alpha: transparency ?? []))
        case .grey, .rgb:
            if let transparency {
                self = .keyed(pixel: Self.pixel(transparency, depth: header.depth), levels: levels)
            } else {
                self = header.depth < 8 ? .narrowGrey(levels: levels) : .bytes
            }
        case .greyAlpha, .rgba:
            self = .bytes
        }
    }

    /// The colour for each of the 256 indices. Indices beyond the palette are black, as in libpng.
    private static func colors(_ palette: [UInt8], alpha: [UInt8]) -> [UInt32] {
        (0..<256).map { index in
            let color = palette.dropFirst(3 * index).prefix(3).reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            return color | UInt32(index < alpha.count ? alpha[index] : 255) << 24
        }
    }

    /// The transparent colour of a `tRNS` chunk in the byte layout of unfiltered scanlines: two bytes for a sample of
    /// 16 bits, otherwise one. Bits above the depth of a sample are ignored.
    private static func pixel(_ transparency: [UInt8], depth: Int) -> [UInt8] {
        guard depth < 16 else { return transparency }
        let mask = UInt8(1 << depth - 1)
        return stride(from: 1, to: transparency.count, by: 2).map { transparency[$0] & mask }
    }

    /// The number of bytes of one sample once the samples have been converted to 8 or 16 bits.
    var bytesPerSample: Int { if case .words = self { 2 } else { 1 } }

    /// The number of samples of a pixel after the conversion.
    func channels(of header: PNGHeader, hasTransparency: Bool) -> Int {
        let sampleCount = header.colorType == .indexed ? 3 : header.colorType.sampleCount
        return hasTransparency ? sampleCount + 1 : sampleCount
    }
}
