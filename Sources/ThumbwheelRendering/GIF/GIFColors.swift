/// The colours of a GIF's indices, as rows of pixels have them.
struct GIFColors {
    /// Samples of a pixel: 3, or 4 if any may be transparent.
    let channels: Int
    // Of each index the samples, the first in the lowest byte. An index without a colour is black or transparent.
    private let samples: [UInt32]

    init(_ picture: GIFPicture, channels: Int) {
        self.channels = channels
        var samples = [UInt32](repeating: 0, count: 256)
        // Without any table the first two are black and white, as a decoder may choose (GIF89a, 19).
        let palette = picture.palette.isEmpty ? [0, 0, 0, 255, 255, 255] : picture.palette
        for index in 0..<palette.count / 3 where index != picture.transparentIndex {
            for channel in 0..<3 { samples[index] |= UInt32(palette[3 * index + channel]) << UInt32(8 * channel) }
            samples[index] |= 0xFF00_0000
        }
        self.samples = samples
    }

    /// Writes the pixels of indices.
    ///
    /// - Parameter row: has room for the pixels, and for a byte more.
    func write(_ indices: UnsafePointer<UInt8>, count: Int, to row: UnsafeMutablePointer<UInt8>) {
        let target = UnsafeMutableRawPointer(row)
        samples.withUnsafeBufferPointer { samples in
            if channels == 4 {
                for place in 0..<count {
                    target.storeBytes(
                        of: samples[Int(indices[place])].littleEndian, toByteOffset: place &* 4, as: UInt32.self)
                }
            } else {
                // The fourth byte is overwritten by the next pixel.
                for place in 0..<count {
                    target.storeBytes(
                        of: samples[Int(indices[place])].littleEndian, toByteOffset: place &* 3, as: UInt32.self)
                }
            }
        }
    }
}
