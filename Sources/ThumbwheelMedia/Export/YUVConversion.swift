import CLibAV
import ThumbwheelCore
import ThumbwheelRendering

/// Converts bitmaps into luma and chroma of BT.709 in the limited range of video (ITU-R BT.709-6, 3 and 4).
///
/// A chroma sample lies on the left column of its four pixels, halfway between their rows. So three pixels of each row
/// are averaged, the middle one with twice the weight.
enum YUVConversion {
    /// Fills a frame of `AV_PIX_FMT_YUV420P` of the bitmap's size. The bitmap has 8 bits a channel and even sides.
    static func fill(_ frame: UnsafeMutablePointer<AVFrame>, with bitmap: Bitmap) {
        let picture = frame.pointee
        guard let luma = picture.data.0, let blue = picture.data.1, let red = picture.data.2 else { return }
        let step = bitmap.format.bytesPerPixel
        let (width, height) = (bitmap.size.width, bitmap.size.height)
        bitmap.withUnsafeBytes { bytes in
            guard let pixels = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
            for row in 0..<height {
                let source = pixels + row * bitmap.bytesPerRow
                let target = luma + row * Int(picture.linesize.0)
                for column in 0..<width {
                    let pixel = source + column * step
                    let (r, g, b) = (Int32(pixel[0]), Int32(pixel[1]), Int32(pixel[2]))
                    target[column] = UInt8(truncatingIfNeeded: (11_966 * r + 40_254 * g + 4_064 * b + bias(16)) >> 16)
                }
            }
            for row in stride(from: 0, to: height, by: 2) {
                let (upper, lower) = (pixels + row * bitmap.bytesPerRow, pixels + (row + 1) * bitmap.bytesPerRow)
                let (blues, reds) = (
                    blue + row / 2 * Int(picture.linesize.1), red + row / 2 * Int(picture.linesize.2)
                )
                for column in stride(from: 0, to: width, by: 2) {
                    let middle = column * step
                    let (left, right) = (max(0, column - 1) * step, (column + 1) * step)
                    func sum(_ channel: Int) -> Int32 {
                        let outer =
                            Int32(upper[left + channel]) + Int32(upper[right + channel]) + Int32(lower[left + channel])
                            + Int32(lower[right + channel])
                        return outer + 2 * (Int32(upper[middle + channel]) + Int32(lower[middle + channel]))
                    }
                    let (r, g, b) = (sum(0), sum(1), sum(2))
                    // The sums are of eight pixels, which the shift by three more bits takes away.
                    let u = (-6_596 * r - 22_189 * g + 28_785 * b + 8 * bias(128)) >> 19
                    let v = (28_784 * r - 26_145 * g - 2_639 * b + 8 * bias(128)) >> 19
                    blues[column / 2] = UInt8(truncatingIfNeeded: max(0, min(u, 255)))
                    reds[column / 2] = UInt8(truncatingIfNeeded: max(0, min(v, 255)))
                }
            }
        }
    }

    /// A level and a half, as numbers with 16 bits behind the binary point are rounded.
    private static func bias(_ level: Int32) -> Int32 { level << 16 + 1 << 15 }
}
