import ThumbwheelCore
import ThumbwheelFormats

/// The memory in bytes that a decoder holds for the whole image. The rows that it works on are not counted.
struct DecoderMemory {
    /// The bytes for a typical file, whose layout does not need extra memory.
    let typical: Int
    /// The bytes for the file that needs the most memory among all files with the same `ImageHead` (the facts that are
    /// read from a file's header). Examples are an interlaced PNG and a TIFF whose pixels are one strip.
    let maximum: Int
    /// A file is refused before any of it is read if the memory limit is less than this number of bytes.
    ///
    /// For most formats, it equals `maximum`. It is smaller for a format in which a short read of the file tells
    /// whether the smaller number of bytes is enough (`Codec.fitsMinimumLimit`).
    let minimumLimit: Int
    /// The additional bytes if an idle worker thread helps with the decode.
    let assistance: Int

    /// Makes the amounts from estimated numbers of bytes. If `maximum` is smaller than `typical`, it is raised to
    /// `typical`.
    ///
    /// - Parameters:
    ///   - typical: the bytes for a typical file.
    ///   - maximum: the bytes for the file that needs the most memory.
    ///   - minimumLimit: the memory limit below which the file is refused unread; nil for `maximum`.
    ///   - assistance: the additional bytes if an idle worker thread helps with the decode.
    init(typical: Double, maximum: Double, minimumLimit: Double? = nil, assistance: Int = 0) {
        self.typical = Int(min(typical, 1e15))
        self.maximum = Int(min(max(typical, maximum), 1e15))
        self.minimumLimit = minimumLimit.map { Int(min($0, 1e15)) } ?? self.maximum
        self.assistance = assistance
    }

    /// The memory of a decoder that works row by row and holds nothing for the whole image.
    static let rows = DecoderMemory(typical: 0, maximum: 0)
}

extension ImageHead {
    /// The number of pixels of the stored picture.
    var storedPixelCount: Double { Double(storedSize.pixelCount) }

    /// The number of pixels of a decode at a scale, which is given in eighths of full size.
    func decodedPixelCount(atEighths eighths: Int) -> Double {
        let scale = Double(eighths) / 8
        return storedPixelCount * scale * scale
    }

    /// The number of bytes of the stored picture's pixels, with 1 byte for each sample of up to 8 bits and 2 for wider
    /// samples.
    var storedByteCount: Double { storedPixelCount * (hasAlpha ? 4 : 3) * (bitsPerChannel > 8 ? 2 : 1) }
}
