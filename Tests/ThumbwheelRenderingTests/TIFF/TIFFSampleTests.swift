import Foundation
import Testing
import ThumbwheelCore
import ThumbwheelFormats

@testable import ThumbwheelRendering

@Suite("Samples of TIFF files")
struct TIFFSampleTests {
    /// The samples of the rendered file's first pixel.
    private func pixel(_ tiff: TIFFBytes) throws -> [Int] {
        let bitmap = try Renderer().render(
            MemoryByteSource(tiff.encoded()), options: RenderOptions(targetSize: PixelSize(width: 5, height: 5))
        ).bitmap
        return Pictures.samples(bitmap).prefix(bitmap.format.bytesPerPixel).map(Int.init)
    }

    private func expect(_ tiff: TIFFBytes, _ expected: [Int], within tolerance: Int = 1) throws {
        let pixel = try pixel(tiff)
        #expect(pixel.count == expected.count, "\(tiff)")
        #expect(zip(pixel, expected).allSatisfy { abs($0 - $1) <= tolerance }, "\(pixel) for \(expected): \(tiff)")
    }

    @Test("samples that are not alpha are left out, whatever colours precede them", arguments: [8, 16])
    func unspecified(bits: Int) throws {
        let unit = bits == 8 ? 1 : 257
        let rgb = [200 * unit, 100 * unit, 50 * unit]
        let (grey, extra) = (100 * unit, 7 * unit)
        try expect(TIFFBytes(pixel: rgb + [extra], photometric: 2, bits: bits, extraSamples: [0]), [200, 100, 50])
        try expect(
            TIFFBytes(pixel: rgb + [extra, extra], photometric: 2, bits: bits, extraSamples: [0, 0]), [200, 100, 50])
        try expect(TIFFBytes(pixel: [grey, extra], photometric: 1, bits: bits, extraSamples: [0]), [100, 100, 100])
        try expect(
            TIFFBytes(pixel: [grey, extra, extra], photometric: 1, bits: bits, extraSamples: [0, 0]), [100, 100, 100])
        try expect(
            TIFFBytes(pixel: [255 * unit - grey, extra], photometric: 0, bits: bits, extraSamples: [0]),
            [100, 100, 100])
        let inks = [0, 0, 0, 0]
        try expect(
            TIFFBytes(pixel: inks + [extra], photometric: 5, bits: bits, extraSamples: [0]), [255, 255, 255], within: 3)
    }

    @Test("both kinds of alpha are kept, and premultiplied colours are divided by it", arguments: [8, 16])
    func alpha(bits: Int) throws {
        let unit = bits == 8 ? 1 : 257
        func samples(_ values: Int...) -> [Int] { values.map { $0 * unit } }
        try expect(
            TIFFBytes(pixel: samples(200, 100, 50, 128), photometric: 2, bits: bits, extraSamples: [2]),
            [200, 100, 50, 128])
        try expect(
            TIFFBytes(pixel: samples(100, 50, 25, 128), photometric: 2, bits: bits, extraSamples: [1]),
            [199, 100, 50, 128])
        try expect(
            TIFFBytes(pixel: samples(200, 100, 50, 128, 9), photometric: 2, bits: bits, extraSamples: [2, 0]),
            [200, 100, 50, 128])
        try expect(
            TIFFBytes(pixel: samples(50, 128), photometric: 1, bits: bits, extraSamples: [2]), [50, 50, 50, 128])
        try expect(
            TIFFBytes(pixel: samples(50, 128), photometric: 1, bits: bits, extraSamples: [1]), [100, 100, 100, 128])
        // The file does not declare its extra sample: every reader takes it for alpha.
        try expect(TIFFBytes(pixel: samples(200, 100, 50, 128), photometric: 2, bits: bits), [200, 100, 50, 128])
    }

    @Test("luma and chroma at full resolution become RGB")
    func chroma() throws {
        for (luma, blue, red) in [(81, 90, 240), (145, 54, 34), (41, 240, 110), (255, 128, 128), (0, 128, 128)] {
            let (y, cb, cr) = (Double(luma), Double(blue - 128), Double(red - 128))
            let expected = [y + 1.402 * cr, y - (0.114 * 1.772 * cb + 0.299 * 1.402 * cr) / 0.587, y + 1.772 * cb]
            try expect(
                TIFFBytes(pixel: [luma, blue, red], photometric: 6, subsampling: [1, 1]),
                expected.map { Int(max(0, min(255, $0)).rounded()) })
        }
    }

    @Test("subsampled chroma and old-style JPEG are refused with a reason that names them")
    func refused() {
        for tiff in [
            TIFFBytes(pixel: [81, 90, 240], photometric: 6), TIFFBytes(pixel: [81, 90, 240], photometric: 6, bits: 16),
            TIFFBytes(pixel: [81, 90, 240], photometric: 6, subsampling: [2, 1]),
            TIFFBytes(pixel: [81, 90, 240], photometric: 6, compression: 6),
            TIFFBytes(pixel: [81, 90, 240], photometric: 2, compression: 6),
        ] {
            #expect(throws: RenderError.unsupportedFormat, "\(tiff)") { try pixel(tiff) }
        }
        #expect(throws: RenderError.unsupportedFormat) {
            let bytes = TIFFBytes(pixel: [1, 2, 3], photometric: 2, compression: 6).encoded()
            _ = try RenderPlan(
                head: try ImageHead(reading: MemoryByteSource(bytes)), options: RenderOptions(targetSize: .maximum))
        }
    }

    @Test("CIELAB renders by its definition, with and without a profile", arguments: [true, false])
    func lab(hasProfile: Bool) throws {
        for (lightness, a, b) in [(136, 80, 67), (224, 256 - 79, 80), (128, 0, 0), (255, 0, 0), (82, 79, 256 - 80)] {
            let tiff = TIFFBytes(
                pixel: [lightness, a, b], photometric: 8, profile: hasProfile ? Self.labProfile : [])
            let signed = [a, b].map { Double($0 > 127 ? $0 - 256 : $0) }
            // At the edges of sRGB, one level of Lab amounts to several levels of a primary.
            try expect(tiff, Self.sRGB(Double(lightness) / 2.55, signed[0], signed[1]), within: 5)
        }
    }

    /// Converts CIE 1976 Lab under D50 to sRGB.
    private static func sRGB(_ lightness: Double, _ a: Double, _ b: Double) -> [Int] {
        let y = (lightness + 16) / 116
        func light(_ root: Double) -> Double {
            root > 6.0 / 29 ? root * root * root : 3 * 36 / 841 * (root - 4.0 / 29)
        }
        let xyz = SIMD3(0.9642 * light(y + a / 500), light(y), 0.8249 * light(y - b / 200))
        return (Matrix3.sRGB.inverse?.rows ?? []).map { row in
            let linear = max(0, min(1, (row * xyz).sum()))
            let encoded = linear <= 0.0031308 ? linear * 12.92 : 1.055 * pow(linear, 1 / 2.4) - 0.055
            return Int((encoded * 255).rounded())
        }
    }

    private static let labProfile: [UInt8] = {
        var bytes = Profiles.big(144, 4) + Profiles.big(0, 4) + [2, 0x40, 0, 0] + [UInt8]("abstLab Lab ".utf8)
        bytes += Profiles.big(0, 12) + [UInt8]("acsp".utf8) + [UInt8](repeating: 0, count: 88) + Profiles.big(0, 16)
        return bytes
    }()
}
