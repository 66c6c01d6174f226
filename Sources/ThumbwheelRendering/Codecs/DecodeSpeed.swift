/// The speed of a decoder on one core: the bytes and pixels that it processes in a millisecond.
///
/// The numbers were fitted to libvips 8.14 on camera photographs at four sizes. The actual time was within 7 % of the
/// predicted time for half of the baseline JPEGs, and within 24 % for nine tenths of them. On other hardware, the
/// ratios between the numbers still hold.
struct DecodeSpeed {
    /// The number of bytes of the file that are read in a millisecond.
    var codedBytes: Double
    /// The number of pixels of the stored picture that are decoded in a millisecond.
    var storedPixels: Double
    /// The number of pixels that are output by the decoder and resampled in a millisecond. The pixels are counted at
    /// the scale of the decode, not at the full size of the picture.
    var decodedPixels: Double = 900_000
    /// The fraction of the file's bytes that the decoder processes, from 0 to 1.
    var codedShare: Double = 1

    /// The predicted time of a decode and of resampling it, in milliseconds.
    func milliseconds(byteCount: Int, storedPixels stored: Double, decodedPixels decoded: Double) -> Double {
        0.3 + Double(byteCount) * codedShare / codedBytes + stored / storedPixels + decoded / decodedPixels
    }
}
