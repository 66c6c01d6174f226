import ThumbwheelCore

/// The header chunk of a PNG (W3C PNG, third edition, 11.2.1).
struct PNGHeader {
    enum ColorType: UInt8 {
        case grey = 0
        case rgb = 2
        case indexed = 3
        case greyAlpha = 4
        case rgba = 6

        /// The number of samples of a pixel.
        var sampleCount: Int {
            switch self {
            case .grey, .indexed: 1
            case .greyAlpha: 2
            case .rgb: 3
            case .rgba: 4
            }
        }

        var depths: [Int] {
            switch self {
            case .grey: [1, 2, 4, 8, 16]
            case .indexed: [1, 2, 4, 8]
            case .rgb, .greyAlpha, .rgba: [8, 16]
            }
        }
    }

    let size: PixelSize
    /// The number of bits of a sample.
    let depth: Int
    let colorType: ColorType
    let isInterlaced: Bool

    /// - Parameter chunk: the contents of an `IHDR` chunk.
    init(_ chunk: [UInt8]) throws(RenderError) {
        guard chunk.count == 13 else { throw .malformed(reason: "a header of \(chunk.count) bytes") }
        size = PixelSize(width: chunk[0...].bigEndian(at: 0, 4), height: chunk[0...].bigEndian(at: 4, 4))
        guard 1...Int(Int32.max) ~= size.width, 1...Int(Int32.max) ~= size.height else {
            throw .malformed(reason: "a size of \(size)")
        }
        depth = Int(chunk[8])
        guard let type = ColorType(rawValue: chunk[9]), type.depths.contains(depth) else {
            throw .malformed(reason: "colour type \(chunk[9]) with \(chunk[8]) bits")
        }
        colorType = type
        guard chunk[10] == 0, chunk[11] == 0, chunk[12] <= 1 else {
            throw .malformed(reason: "methods \(chunk[10]), \(chunk[11]) and \(chunk[12])")
        }
        isInterlaced = chunk[12] == 1
    }

    var bitsPerPixel: Int { colorType.sampleCount * depth }

    /// The number of bytes of a scanline of `width` pixels, without its filter type.
    func byteCount(ofWidth width: Int) -> Int { (width * bitsPerPixel + 7) / 8 }
}
