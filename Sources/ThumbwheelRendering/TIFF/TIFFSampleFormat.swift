import ThumbwheelCore
import ThumbwheelFormats

/// Describes how the samples of a TIFF's pixels become channels of an image.
struct TIFFSampleFormat {
    enum Colors {
        /// Grey or RGB levels. If `isInverted` is true, they are grey, with 0 for white.
        case levels(isInverted: Bool)
        /// Indices into a list of colours. Each colour has red in its lowest byte, then green and blue.
        case palette([UInt32])
        /// Luma and chroma. The decoder supports them only in JPEG streams.
        case luma
    }

    let colors: Colors
    let bits: Int
    let samplesPerPixel: Int
    /// The number of samples of a pixel that become channels: the samples of the colour, and alpha if there is any.
    let shownSampleCount: Int
    let isPremultiplied: Bool
    let predictor: TIFFPredictor?

    /// - Returns: nil for a compression, colours or samples that the decoder does not support.
    init?(_ picture: TIFFPicture, in bytes: any ByteSource, order: ByteOrder) throws(RenderError) {
        let coding = picture.coding
        bits = picture.bitsPerSample
        samplesPerPixel = Int(coding.samplesPerPixel)
        guard let compression = TIFFCompression(rawValue: coding.compression) else { return nil }
        let isJPEG = compression == .jpeg
        let colorCount: Int
        switch (coding.photometricInterpretation, isJPEG) {
        case (0, false), (1, _):
            colors = .levels(isInverted: coding.photometricInterpretation == 0)
            colorCount = 1
        case (2, _):
            colors = .levels(isInverted: false)
            colorCount = 3
        case (3, false):
            guard bits <= 8, samplesPerPixel == 1, let colorMap = picture.colorMap,
                let palette = try Self.palette(colorMap, count: 1 << bits, in: bytes, order: order)
            else { return nil }
            colors = .palette(palette)
            colorCount = 1
        case (6, true):
            colors = .luma
            colorCount = 3
        default: return nil
        }
        let extraCount = samplesPerPixel - colorCount
        guard extraCount >= 0, bits >= 8 || samplesPerPixel == 1, !isJPEG || bits == 8 && extraCount == 0 else {
            return nil
        }
        // A single sample of undeclared purpose counts as alpha. Many writers forget to declare alpha, and every reader
        // accepts that.
        let hasAlpha = coding.hasAlpha || coding.extraSample == nil && extraCount == 1
        shownSampleCount = colorCount + (extraCount > 0 && hasAlpha ? 1 : 0)
        isPremultiplied = shownSampleCount > colorCount && coding.extraSample == .associatedAlpha
        // A TIFF's predictor field has a meaning only for these compressions.
        let mayBePredicted = [.lzw, .deflate, .formerDeflate].contains(compression)
        switch picture.predictor {
        case _ where !mayBePredicted, 1: predictor = nil
        case 2 where bits >= 8:
            predictor = TIFFPredictor(samplesPerPixel: samplesPerPixel, isWide: bits == 16, order: order)
        default: return nil
        }
    }

    var channels: Int { if case .palette = colors { 3 } else { shownSampleCount } }

    /// Whether a row can be used as it is stored in the file: its samples have 8 bits, and are the channels of the
    /// decoded picture.
    var isPlain: Bool {
        if case .levels(isInverted: false) = colors {
            return bits == 8 && shownSampleCount == samplesPerPixel && !isPremultiplied
        }
        return false
    }

    /// Whether the samples are luma and chroma, which have to be converted to RGB.
    var isLuma: Bool { if case .luma = colors { true } else { false } }

    /// Reads a colour map; nil if the map is too short. The values should have 16 bits. If all values of a map are
    /// below 256, they are taken as values of 8 bits.
    private static func palette(
        _ map: TIFFPicture.List, count: Int, in bytes: any ByteSource, order: ByteOrder
    ) throws(RenderError) -> [UInt32]? {
        guard map.width == 2, map.count >= 3 * count else { return nil }
        let start = map.extent.lowerBound
        let stored: [UInt8]
        do throws(ByteSourceError) {
            stored = try bytes.bytes(in: start..<start + 6 * count)
        } catch {
            throw .source(error)
        }
        guard stored.count == 6 * count else { return nil }
        let values = (0..<3 * count).map { index in
            let (first, second) = (UInt32(stored[2 * index]), UInt32(stored[2 * index + 1]))
            return order == .big ? first << 8 | second : second << 8 | first
        }
        let shift: UInt32 = values.allSatisfy { $0 < 256 } ? 0 : 8
        return (0..<count).map { index in
            (0..<3).reduce(UInt32(0)) { color, part in color | (values[part * count + index] >> shift) << (8 * part) }
        }
    }
}
