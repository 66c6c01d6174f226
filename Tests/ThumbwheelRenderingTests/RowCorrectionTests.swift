import Testing
import ThumbwheelCore
import ThumbwheelFormats

@testable import ThumbwheelRendering

@Suite("Corrections of rows")
struct RowCorrectionTests {
    private func row(_ correction: RowCorrection, _ row: [UInt8], channels: Int, number: Int = 0) -> [UInt8] {
        var line = [UInt8](repeating: 77, count: row.count / channels * correction.channels(after: channels))
        line.withUnsafeMutableBufferPointer { line in
            row.withUnsafeBufferPointer {
                correction.write($0.baseAddress!, number: number, channels: channels, into: line)
            }
        }
        return line
    }

    @Test("colours are divided by their alpha and rounded to the nearest level, for all pairs")
    func unpremultiplied() {
        #expect(row(.unpremultiplied, [28, 10, 10, 127, 9, 9, 9, 0], channels: 4) == [56, 20, 20, 127, 0, 0, 0, 0])
        for alpha in 1..<256 {
            for color in 0...alpha {
                let made = row(.unpremultiplied, [UInt8(color), UInt8(alpha)], channels: 2)
                #expect(Double(made[0]) == (Double(color) * 255 / Double(alpha)).rounded(), "\(color) of \(alpha)")
            }
        }
    }

    @Test("the canvas around a picture is transparent")
    func clear() {
        let correction = RowCorrection.clearOutside(columns: 1..<2, rows: 1..<2)
        #expect(row(correction, [1, 2, 3, 4, 5, 6, 7, 8, 9], channels: 3) == [UInt8](repeating: 0, count: 12))
        #expect(
            row(correction, [1, 2, 3, 4, 5, 6, 7, 8, 9], channels: 3, number: 1)
                == [0, 0, 0, 0, 4, 5, 6, 255, 0, 0, 0, 0])
        #expect(row(correction, [1, 2, 3], channels: 1, number: 1) == [0, 0, 2, 255, 0, 0])
        #expect(row(correction, [1, 9, 2, 8, 3, 7], channels: 2, number: 1) == [0, 0, 2, 8, 0, 0])
        #expect(correction.applying(toWidth: 2, height: 2, channels: 3) == correction)
        #expect(
            RowCorrection.clearOutside(columns: 0..<9, rows: 0..<9).applying(toWidth: 9, height: 8, channels: 3) == nil)
        // Columns beyond the canvas must not be written.
        let outside = RowCorrection.clearOutside(columns: 2..<99, rows: 0..<1)
        #expect(row(outside, [1, 2, 3], channels: 1) == [0, 0, 0, 0, 3, 255])
    }

    @Test("a GIF whose first picture is smaller than its screen is transparent around it")
    func gif() throws {
        var bytes = RendererTests.decoded(RendererTests.paletteGIF)
        // Makes the screen 4×3 pixels, and puts the picture's 2×2 at (1, 1).
        (bytes[6], bytes[8]) = (4, 3)
        try #require(bytes[25] == 0x2C)
        (bytes[26], bytes[28]) = (1, 1)
        let image = try Renderer().render(
            MemoryByteSource(bytes), options: RenderOptions(targetSize: .maximum))
        #expect(image.bitmap.size == PixelSize(width: 4, height: 3) && image.bitmap.format == .rgba)
        let clear = [UInt8](repeating: 0, count: 4)
        #expect(
            Pictures.samples(image.bitmap) == [UInt8](repeating: 0, count: 16)
                + clear + [255, 0, 0, 255, 0, 255, 0, 255] + clear
                + clear + [0, 0, 255, 255, 9, 8, 7, 255] + clear)
    }
}
