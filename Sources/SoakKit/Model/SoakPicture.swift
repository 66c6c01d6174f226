import Thumbwheel
import ThumbwheelLocks

/// A generated photograph whose two colours, one above the other, name it: a pixel of another picture, or of a picture
/// that is turned, is seen at once.
package struct SoakPicture: Hashable, Sendable {
    package enum Format: Int, Sendable, CaseIterable {
        case png, jpeg
    }

    /// Every picture of a run has a number of its own.
    package let number: Int
    package let format: Format
    /// By EXIF; 1 for a PNG.
    package let orientation: Int

    package init(number: Int, format: Format, orientation: Int = 1) {
        self.number = number
        self.format = format
        self.orientation = format == .png ? 1 : orientation
    }

    /// Orientations that are told apart by two colours.
    package static let orientations = [1, 3, 6, 8]
    /// Whole units of a JPEG with reduced chroma, so that neither colour runs into the other at any scale.
    package static let size = PixelSize(width: 96, height: 64)

    package struct Color: Hashable, Sendable {
        package let red: UInt8
        package let green: UInt8
        package let blue: UInt8

        /// Whether two colours are the same but for what lossy formats and resampling do. Different colours of the
        /// palette differ by 51 in a channel.
        package func isNear(_ other: Color) -> Bool {
            func near(_ one: UInt8, _ other: UInt8) -> Bool { abs(Int(one) - Int(other)) < 25 }
            return near(red, other.red) && near(green, other.green) && near(blue, other.blue)
        }
    }

    private static let levels = 6
    private static let colorCount = levels * levels * levels

    private static func color(_ index: Int) -> Color {
        func level(_ place: Int) -> UInt8 { UInt8(place % levels * 51) }
        return Color(red: level(index), green: level(index / levels), blue: level(index / levels / levels))
    }

    /// The color of the upper half. Pictures made one after another have different ones.
    package var upper: Color { Self.color(number * 91 % Self.colorCount) }

    package var lower: Color { Self.color((number / Self.colorCount * 5 + number * 31 + 7) % Self.colorCount) }
}

extension SoakPicture {
    /// The picture as a file. The same bytes each time.
    package func encoded() throws(RenderError) -> [UInt8] {
        if let bytes = Self.files.withLock({ $0.bytes(of: self) }) { return bytes }
        let bytes = try encodedAnew()
        Self.files.withLock { $0.keep(bytes, of: self) }
        return bytes
    }

    /// The files that were made last: a comparison asks for those of all assets.
    private struct Files {
        private static let limit = 512

        private var files: [SoakPicture: [UInt8]] = [:]
        private var order: [SoakPicture] = []
        private var next = 0

        func bytes(of picture: SoakPicture) -> [UInt8]? { files[picture] }

        mutating func keep(_ bytes: [UInt8], of picture: SoakPicture) {
            guard files.updateValue(bytes, forKey: picture) == nil else { return }
            if order.count < Self.limit { return order.append(picture) }
            files[order[next]] = nil
            order[next] = picture
            next = (next + 1) % Self.limit
        }
    }

    private static let files = Mutex(Files())

    private func encodedAnew() throws(RenderError) -> [UInt8] {
        let isTransposed = orientation >= 5
        let isReversed = orientation == 3 || orientation == 8
        let size = isTransposed ? Self.size.transposed : Self.size
        let (first, second) = isReversed ? (lower, upper) : (upper, lower)
        let bitmap = Bitmap(size: size, format: .rgb) { (pixels: UnsafeMutableRawBufferPointer) in
            for y in 0..<size.height {
                for x in 0..<size.width {
                    let isFirst = isTransposed ? x < size.width / 2 : y < size.height / 2
                    let color = isFirst ? first : second
                    let place = (y * size.width + x) * 3
                    pixels[place] = color.red
                    pixels[place + 1] = color.green
                    pixels[place + 2] = color.blue
                }
            }
        }
        switch format {
        case .png: return try bitmap.encoded(as: .png)
        case .jpeg: return Self.oriented(try bitmap.encoded(as: .jpeg(quality: 95)), by: orientation)
        }
    }

    /// Puts an EXIF segment with nothing but the orientation behind the start of a JPEG.
    private static func oriented(_ jpeg: [UInt8], by orientation: Int) -> [UInt8] {
        let head: [UInt8] = [0x4D, 0x4D, 0, 42, 0, 0, 0, 8]
        // One entry, of tag 0x112, one short number; then no further directory.
        let directory: [UInt8] = [0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, UInt8(orientation), 0, 0, 0, 0, 0, 0]
        let payload = Array("Exif".utf8) + [0, 0] + head + directory
        return Array(jpeg.prefix(2)) + [0xFF, 0xE1, 0, UInt8(payload.count + 2)] + payload + jpeg.dropFirst(2)
    }
}
