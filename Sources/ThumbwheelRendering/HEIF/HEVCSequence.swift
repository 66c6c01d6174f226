import ThumbwheelCore

/// The fields of an HEVC sequence parameter set that determine how much memory a decoder needs (ITU-T H.265, 7.3.2.2).
struct HEVCSequence: Equatable {
    /// The size of the coded picture, including its padding.
    let size: PixelSize
    /// The size without the padding that the conformance window cuts off.
    let shownSize: PixelSize
    /// The chroma format: 0 for monochrome, 1 for 4:2:0, 2 for 4:2:2, 3 for 4:4:4.
    let chromaFormat: Int
    let bitsPerSample: Int
    /// Whether the planes are those of one picture with equally wide samples. If not, the standard allows the sequence,
    /// but the decoders do not support it.
    let isSupported: Bool

    /// - Parameter bytes: the parameter set, without the two bytes of its NAL unit header.
    init(_ bytes: ArraySlice<UInt8>) throws(RenderError) {
        var bits = HEVCBits(bytes)
        try bits.skip(4)
        let subLayerCount = try bits.number(3)
        try bits.skip(1)
        // The general profile and level come first, then the profiles and levels of the sub-layers.
        try bits.skip(96)
        if subLayerCount > 0 {
            var present: [(profile: Bool, level: Bool)] = []
            for _ in 0..<subLayerCount { present.append((try bits.number(1) == 1, try bits.number(1) == 1)) }
            try bits.skip(2 * (8 - subLayerCount))
            for layer in present { try bits.skip((layer.profile ? 88 : 0) + (layer.level ? 8 : 0)) }
        }
        _ = try bits.exponential()
        chromaFormat = try bits.exponential()
        var areSeparate = false
        if chromaFormat == 3 { areSeparate = try bits.number(1) == 1 }
        let (width, height) = (try bits.exponential(), try bits.exponential())
        size = PixelSize(width: width, height: height)
        var shown = size
        if try bits.number(1) == 1 {
            let across = chromaFormat == 1 || chromaFormat == 2 ? 2 : 1
            let down = chromaFormat == 1 ? 2 : 1
            shown.width -= across * (try bits.exponential() + bits.exponential())
            shown.height -= down * (try bits.exponential() + bits.exponential())
        }
        shownSize = shown
        let (luma, chroma) = (try bits.exponential() + 8, try bits.exponential() + 8)
        bitsPerSample = luma
        _ = try bits.exponential()
        let hasEveryLayer = try bits.number(1) == 1
        for _ in (hasEveryLayer ? 0 : subLayerCount)...subLayerCount {
            for _ in 0..<3 { _ = try bits.exponential() }
        }
        // Refuses a size that is not a multiple of the smallest coding block. The standard forbids such a size (ITU-T
        // H.265, 7.4.3.2), and libde265 would print a message for each such sequence.
        let smallestBlock = 1 << min(try bits.exponential() + 3, 16)
        guard width % smallestBlock == 0, height % smallestBlock == 0 else {
            throw .malformed(reason: "an HEVC picture of \(size) in blocks of \(smallestBlock)")
        }
        isSupported = !areSeparate && (chroma == luma || chromaFormat == 0)
        guard chromaFormat <= 3, luma <= 16, chroma <= 16, !shown.isEmpty else {
            throw .malformed(reason: "an HEVC sequence of another kind")
        }
    }
}

/// Reads the bits of a raw byte sequence payload, most significant bit first. The bytes that prevent the emulation of
/// start codes are skipped.
private struct HEVCBits {
    private let bytes: [UInt8]
    private var position = 0

    init(_ payload: ArraySlice<UInt8>) {
        var bytes: [UInt8] = []
        var zeros = 0
        // All fields that are needed lie within the first 512 bytes.
        for byte in payload.prefix(512) {
            if zeros >= 2, byte == 3 {
                zeros = 0
                continue
            }
            zeros = byte == 0 ? zeros + 1 : 0
            bytes.append(byte)
        }
        self.bytes = bytes
    }

    mutating func skip(_ count: Int) throws(RenderError) {
        guard count <= bytes.count * 8 - position else { throw .malformed(reason: "a short HEVC sequence") }
        position += count
    }

    mutating func number(_ count: Int) throws(RenderError) -> Int {
        let start = position
        try skip(count)
        return (start..<position).reduce(0) { $0 << 1 | Int(bytes[$1 >> 3] >> (7 - UInt8($1 & 7)) & 1) }
    }

    /// Reads an Exp-Golomb code (ITU-T H.265, 9.2) with at most 30 leading zeros.
    mutating func exponential() throws(RenderError) -> Int {
        var zeros = 0
        while try number(1) == 0 {
            zeros += 1
            guard zeros <= 30 else { throw .malformed(reason: "a damaged HEVC sequence") }
        }
        return try 1 << zeros - 1 + number(zeros)
    }
}
