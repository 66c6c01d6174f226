import Testing
import ThumbwheelCore
import ThumbwheelFormats

@testable import ThumbwheelRendering

@Suite("Corrections of rows")
struct RowCorrectionTests {
    private func row(_ correction: RowCorrection, _ row: [UInt8], channels: Int) -> [UInt8] {
        var line = [UInt8](repeating: 77, count: row.count)
        line.withUnsafeMutableBufferPointer { line in
            row.withUnsafeBufferPointer {
                correction.write($0.baseAddress!, channels: channels, into: line)
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
}
