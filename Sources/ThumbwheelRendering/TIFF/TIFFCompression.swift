/// The compressions that the decoder covers, by their numbers in a file.
enum TIFFCompression: UInt16 {
    case none = 1
    case lzw = 5
    case jpeg = 7
    case deflate = 8
    case packBits = 32_773
    /// Deflate, under the number that it had before TIFF's supplement.
    case formerDeflate = 32_946
}
