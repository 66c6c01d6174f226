/// How a PNG's samples become bytes: as they are, widened, looked up in the palette, or with one colour made transparent
/// (W3C PNG, third edition, 13.12 and 13.16).
enum PNGSamples {
    /// Bytes already.
    case bytes
    /// Grey of less than a byte, and the level of each value.
    case narrowGrey(levels: [UInt8])
    /// Indices into colours of red, green, blue and alpha, from the lowest byte on.
    case indexed(colors: [UInt32])
    /// Grey or RGB, and the bytes of the pixel that is transparent.
    case keyed(pixel: [UInt8], levels: [UInt8])

    init(_ container: PNGContainer) {
        let (header, transparency) = (container.header, container.transparency)
        // 85 and 17 times the value for 2 and 4 bits.
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

    /// Indices beyond the palette are black, as in libpng.
    private static func colors(_ palette: [UInt8], alpha: [UInt8]) -> [UInt32] {
        (0..<256).map { index in
            let color = palette.dropFirst(3 * index).prefix(3).reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            return color | UInt32(index < alpha.count ? alpha[index] : 255) << 24
        }
    }

    /// The bytes of the transparent pixel as scanlines have them; upper bits beyond a sample's depth do not count.
    private static func pixel(_ transparency: [UInt8], depth: Int) -> [UInt8] {
        guard depth < 16 else { return transparency }
        let mask = UInt8(1 << depth - 1)
        return stride(from: 1, to: transparency.count, by: 2).map { transparency[$0] & mask }
    }

    /// Bytes of a pixel that they become.
    func channels(of header: PNGHeader, hasTransparency: Bool) -> Int {
        let sampleCount = header.colorType == .indexed ? 3 : header.colorType.sampleCount
        return hasTransparency ? sampleCount + 1 : sampleCount
    }
}
