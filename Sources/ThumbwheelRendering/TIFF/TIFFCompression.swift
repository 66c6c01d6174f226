/// The compressions that the decoder supports. Their raw values are the numbers that stand for them in files.
enum TIFFCompression: UInt16 {
    case none = 1
    case lzw = 5
    case jpeg = 7
    case deflate = 8
    case packBits = 32_773
    /// Deflate, under the number that it had before a supplement to TIFF gave it number 8.
    case formerDeflate = 32_946
}
