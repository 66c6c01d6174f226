import ThumbwheelCore
import ThumbwheelFormats

/// Memory that a decoder holds for the whole of an image at once, beyond the rows that it works on, as far as the head
/// tells. Measured on libvips 8.14 with libheif 1.15.
struct DecoderMemory {
    /// What it is, where the format's own choices do not make it worse.
    let usual: Int
    /// What it is at most: of a PNG that is interlaced, of a TIFF that is one strip.
    let most: Int

    init(head: ImageHead, eighths: Int, isOwnJPEG: Bool, byteCount: Int) {
        let pixels = Double(head.storedSize.pixelCount)
        let scale = Double(eighths) / 8
        let samples = head.bitsPerChannel > 8 ? 2.0 : 1
        let stored = pixels * (head.hasAlpha ? 4 : 3) * samples
        let file = Double(byteCount)
        let (usual, most): (Double, Double) =
            switch head.contentType {
            case .jpeg where head.jpeg?.process == .progressive && !isOwnJPEG:
                // libjpeg keeps every coefficient.
                (pixels * Double(head.jpeg?.samplingFactors.count ?? 3) * 2, pixels * 8)
            case .heic, .avif:
                (Self.heifBytes(head) * samples + file, Self.heifBytes(head) * samples + file)
            case .webp: (pixels * 4 * scale * scale + file, pixels * 4 + pixels * 4 * scale * scale + file)
            case .gif: (pixels * 12 + file, pixels * 12 + file)
            case .png: (0, stored)
            case .tiff: (0, stored + file)
            default: (0, 0)
            }
        self.usual = Int(min(usual, 1e15))
        self.most = Int(min(max(usual, most), 1e15))
    }

    /// The memory that libheif takes for a picture with samples of 8 bits, in bytes.
    ///
    /// Measured per pixel:
    ///
    /// - A grid: 6.1 bytes. Its tiles are converted one by one into planes of RGB, which are then interleaved.
    /// - A picture that is coded as a whole, as each tile is: 7.6 bytes, or 13 if its chroma is not subsampled. It
    ///   exists as the codec's own frame and as a copy until it is converted.
    /// - Alpha adds a plane to each.
    private static func heifBytes(_ head: ImageHead) -> Double {
        let pixels = Double(head.storedSize.pixelCount)
        let alpha = head.hasAlpha ? 2.0 : 0
        let whole = (head.heif?.hasFullChroma ?? false ? 14 : 8) + alpha
        guard let tile = head.heif?.tileSize else { return pixels * whole }
        return pixels * (6.25 + alpha) + Double(min(tile.pixelCount, head.storedSize.pixelCount)) * whole
    }
}
