import Thumbwheel

/// A lossless code for rows of RGB in the manner of QOI (Dominic Szablewski, 2021): a pixel is the last one again, one of
/// 64 seen lately, or differs from the last one by a little or by much.
struct PixelRunCode: PackingCode {
    static let name = "qoi"

    private let size: PixelSize
    private let bytes: [UInt8]

    var byteCount: Int { bytes.count }

    init(_ bitmap: Bitmap) {
        size = bitmap.size
        bytes = Self.packed(bitmap)
    }

    private static let longestRun = 62

    private static func packed(_ bitmap: Bitmap) -> [UInt8] {
        let count = bitmap.size.pixelCount
        // At worst a tag before each pixel.
        return [UInt8](unsafeUninitializedCapacity: count * 4) { target, written in
            bitmap.withUnsafeBytes { source in
                var recent = RecentPixels()
                var last = Pixel(0, 0, 0)
                var run: UInt8 = 0
                var end = 0
                for index in 0..<count {
                    let pixel = Pixel(source[3 * index], source[3 * index + 1], source[3 * index + 2])
                    if pixel == last {
                        run += 1
                        if run < longestRun, index + 1 < count { continue }
                        target[end] = 0xC0 | (run - 1)
                        end += 1
                        run = 0
                        continue
                    }
                    if run > 0 {
                        target[end] = 0xC0 | (run - 1)
                        end += 1
                        run = 0
                    }
                    let slot = pixel.slot
                    let (red, green, blue) = (pixel.x &- last.x, pixel.y &- last.y, pixel.z &- last.z)
                    let (redLess, blueLess) = (red &- green, blue &- green)
                    if recent[slot] == pixel {
                        target[end] = UInt8(slot)
                        end += 1
                    } else if red &+ 2 < 4, green &+ 2 < 4, blue &+ 2 < 4 {
                        target[end] = 0x40 | (red &+ 2) << 4 | (green &+ 2) << 2 | (blue &+ 2)
                        end += 1
                    } else if green &+ 32 < 64, redLess &+ 8 < 16, blueLess &+ 8 < 16 {
                        target[end] = 0x80 | (green &+ 32)
                        target[end + 1] = (redLess &+ 8) << 4 | (blueLess &+ 8)
                        end += 2
                    } else {
                        target[end] = 0xFE
                        (target[end + 1], target[end + 2], target[end + 3]) = (pixel.x, pixel.y, pixel.z)
                        end += 4
                    }
                    recent[slot] = pixel
                    last = pixel
                }
                written = end
            }
        }
    }

    func unpacked() -> Bitmap {
        Bitmap(size: size, format: .rgb) { target in
            var recent = RecentPixels()
            var last = Pixel(0, 0, 0)
            var next = 0
            var run = 0
            for index in 0..<size.pixelCount {
                if run > 0 {
                    run -= 1
                } else {
                    let tag = bytes[next]
                    next += 1
                    switch tag >> 6 {
                    case _ where tag == 0xFE:
                        last = Pixel(bytes[next], bytes[next + 1], bytes[next + 2])
                        next += 3
                    case 0: last = recent[Int(tag)]
                    case 1:
                        last = last &+ Pixel((tag >> 4 & 3) &- 2, (tag >> 2 & 3) &- 2, (tag & 3) &- 2)
                    case 2:
                        let green = (tag & 63) &- 32
                        let others = bytes[next]
                        next += 1
                        last = last &+ Pixel(green &+ (others >> 4) &- 8, green, green &+ (others & 15) &- 8)
                    default: run = Int(tag & 63)
                    }
                    recent[last.slot] = last
                }
                (target[3 * index], target[3 * index + 1], target[3 * index + 2]) = (last.x, last.y, last.z)
            }
        }
    }
}

private typealias Pixel = SIMD4<UInt8>

extension SIMD4<UInt8> {
    fileprivate init(_ red: UInt8, _ green: UInt8, _ blue: UInt8) {
        self.init(red, green, blue, 0)
    }

    fileprivate var slot: Int { (Int(x) * 3 + Int(y) * 5 + Int(z) * 7 + 255 * 11) & 63 }
}

private struct RecentPixels {
    private var pixels = [Pixel](repeating: Pixel(0, 0, 0), count: 64)

    subscript(slot: Int) -> Pixel {
        get { pixels[slot] }
        set { pixels[slot] = newValue }
    }
}
