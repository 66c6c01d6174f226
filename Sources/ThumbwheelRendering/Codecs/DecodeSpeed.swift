/// How much a decoder does in a millisecond on one core.
///
/// Fitted to libvips 8.14 on camera photographs at four sizes; half of the baseline JPEGs took within 7 % of the
/// prediction, nine tenths within 24 %. On another machine the ratios still hold.
struct DecodeSpeed {
    /// Bytes of the file.
    var codedBytes: Double
    /// Pixels of the stored picture.
    var storedPixels: Double
    /// Pixels of the decode.
    var decodedPixels: Double = 900_000
    /// The share of the file's bytes that the decoder works through.
    var codedShare: Double = 1

    /// The predicted time of a decode and of resampling it, in milliseconds.
    func milliseconds(byteCount: Int, storedPixels stored: Double, decodedPixels decoded: Double) -> Double {
        0.3 + Double(byteCount) * codedShare / codedBytes + stored / storedPixels + decoded / decodedPixels
    }
}
