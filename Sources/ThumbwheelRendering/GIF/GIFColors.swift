/// A table from a GIF's palette indices to the samples of output pixels.
struct GIFColors {
    /// The number of samples of a pixel: 3, or 4 if any pixel may be transparent.
    let channels: Int
    // The samples for each index, with the first sample in the lowest byte. An index without a colour is black, or
    // transparent if a pixel has 4 samples.
    private let samples: [UInt32]

    init(_ picture: GIFPicture, channels: Int) {
        self.channels = channels
        var samples = [UInt32](repeating: 0, count: 256)
        // If the file has no colour table, a decoder may choose one (GIF89a, 19). This decoder makes the first two
        // indices black and white.
        let palette = picture.palette.isEmpty ? [0, 0, 0, 255, 255, 255] : picture.palette
        for index in 0..<palette.count / 3 where index != picture.transparentIndex {
            for channel in 0..<3 { samples[index] |= UInt32(palette[3 * index + channel]) << UInt32(8 * channel) }
            samples[index] |= 0xFF00_0000
        }
        self.samples = samples
    }

    /// Writes the pixels for a sequence of indices.
    ///
    /// - Parameter row: memory for the pixels. If a pixel has 3 samples, there must be one more byte after the last
    ///   pixel, because a fourth byte is written for each pixel.
    func write(_ indices: UnsafePointer<UInt8>, count: Int, to row: UnsafeMutablePointer<UInt8>) {
        let target = UnsafeMutableRawPointer(row)
        samples.withUnsafeBufferPointer { samples in
            if channels == 4 {
                for place in 0..<count {
                    target.storeBytes(
                        of: samples[Int(indices[place])].littleEndian, toByteOffset: place &* 4, as: UInt32.self)
                }
            } else {
                // Writes four bytes for each pixel, although a pixel has three. The fourth byte is overwritten by the
                // next pixel.
                for place in 0..<count {
                    target.storeBytes(
                        of: samples[Int(indices[place])].littleEndian, toByteOffset: place &* 3, as: UInt32.self)
                }
            }
        }
    }
}
