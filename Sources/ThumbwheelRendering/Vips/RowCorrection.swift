/// A correction of decoded rows, made before they are resampled. Most of the rows that need a correction come from
/// libvips.
enum RowCorrection: Equatable {
    /// Converts luma and chroma to RGB, with the default weights and the default range of TIFF 6.0.
    case fromYCbCr
    /// Divides colours by alpha, because the file stores them multiplied by alpha.
    case unpremultiplied

    /// Returns this correction, or nil if rows with the given number of channels do not need it. For example, the
    /// colours of rows without alpha need not be divided by alpha.
    func applying(toChannels channels: Int) -> RowCorrection? {
        switch self {
        case .fromYCbCr: channels >= 3 ? self : nil
        case .unpremultiplied: channels == 2 || channels == 4 ? self : nil
        }
    }

    /// Writes the corrected row into `line`.
    ///
    /// - Parameters:
    ///   - channels: the number of samples per pixel in `row`.
    ///   - line: memory for as many pixels as `row` has.
    func write(
        _ row: UnsafePointer<UInt8>, channels: Int, into line: UnsafeMutableBufferPointer<UInt8>
    ) {
        let width = line.count / channels
        switch self {
        case .fromYCbCr:
            for start in stride(from: 0, to: width * channels, by: channels) {
                Self.writeRGB(row + start, to: line, at: start)
                for extra in start + 3..<start + channels { line[extra] = row[extra] }
            }
        case .unpremultiplied:
            for start in stride(from: 0, to: width * channels, by: channels) {
                let alpha = Int(row[start + channels - 1])
                for place in start..<start + channels - 1 {
                    line[place] = alpha == 0 ? 0 : UInt8(min(255, (Int(row[place]) * 255 + alpha / 2) / alpha))
                }
                line[start + channels - 1] = UInt8(alpha)
            }
        }
    }

    /// Converts a pixel of luma and chroma to RGB by the weights of ITU-R BT.601 over the full range, in units of
    /// 1/65536.
    private static func writeRGB(
        _ pixel: UnsafePointer<UInt8>, to line: UnsafeMutableBufferPointer<UInt8>, at place: Int
    ) {
        let luma = Int(pixel[0]) << 16 + 1 << 15
        let (blue, red) = (Int(pixel[1]) - 128, Int(pixel[2]) - 128)
        line[place] = UInt8(clamping: (luma + 91_881 * red) >> 16)
        line[place + 1] = UInt8(clamping: (luma - 22_554 * blue - 46_802 * red) >> 16)
        line[place + 2] = UInt8(clamping: (luma + 116_130 * blue) >> 16)
    }
}
