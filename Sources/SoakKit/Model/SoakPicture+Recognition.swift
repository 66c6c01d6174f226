import Thumbwheel

extension SoakPicture {
    /// The part of a picture that a rendering shows.
    package enum Part: Sendable {
        case whole, upperHalf
    }

    /// The colours a quarter and three quarters down a bitmap.
    package static func colors(of bitmap: Bitmap) -> (upper: Color, lower: Color) {
        func color(_ y: Int) -> Color {
            bitmap.withUnsafeBytes { bytes in
                let place =
                    min(y, bitmap.size.height - 1) * bitmap.bytesPerRow
                    + bitmap.size.width / 2 * bitmap.format.bytesPerPixel
                return Color(red: bytes[place], green: bytes[place + 1], blue: bytes[place + 2])
            }
        }
        return (color(bitmap.size.height / 4), color(bitmap.size.height * 3 / 4))
    }

    /// Whether a bitmap shows this picture, upright.
    package func isShown(by bitmap: Bitmap, _ part: Part = .whole) -> Bool {
        let seen = Self.colors(of: bitmap)
        return seen.upper.isNear(upper) && seen.lower.isNear(part == .whole ? lower : upper)
    }

    /// The number of the newest picture that a bitmap may show, for people who look for the cause of a wrong one.
    package static func number(shownBy bitmap: Bitmap, upTo last: Int) -> Int? {
        (0...last).reversed().first { SoakPicture(number: $0, format: .png).isShown(by: bitmap) }
    }
}
