import ThumbwheelCore
import ThumbwheelFormats

/// Memory that a decoder holds for the whole of an image at once, besides the rows that it works on.
struct DecoderMemory {
    /// Bytes, if the format's own choices do not make it worse.
    let usual: Int
    /// Bytes at most: of a PNG that is interlaced, of a TIFF that is one strip.
    let most: Int
    /// Bytes that a limit must allow before the file is read. Fewer than `most` only if a read tells which of the two it
    /// is.
    let certain: Int
    /// Bytes besides, if an idle worker helps.
    let assistance: Int

    /// - Parameter certain: by default, as many as `most`.
    init(usual: Double, most: Double, certain: Double? = nil, assistance: Int = 0) {
        self.usual = Int(min(usual, 1e15))
        self.most = Int(min(max(usual, most), 1e15))
        self.certain = certain.map { Int(min($0, 1e15)) } ?? self.most
        self.assistance = assistance
    }

    /// The memory of a decoder that works row by row.
    static let rows = DecoderMemory(usual: 0, most: 0)
}

extension ImageHead {
    /// Pixels of the stored picture.
    var storedPixelCount: Double { Double(storedSize.pixelCount) }

    /// Pixels of a decode at a scale in eighths.
    func decodedPixelCount(atEighths eighths: Int) -> Double {
        let scale = Double(eighths) / 8
        return storedPixelCount * scale * scale
    }

    /// Bytes of the stored picture's pixels, each sample as wide as the file has it.
    var storedByteCount: Double { storedPixelCount * (hasAlpha ? 4 : 3) * (bitsPerChannel > 8 ? 2 : 1) }
}
