import FixtureKit
import Foundation
import ReferenceJPEG
import Testing
import ThumbwheelCore

@testable import ThumbwheelRendering

@Suite("JPEG planes against libjpeg's and against the definition")
struct JPEGPlaneTests {
    private static var guardian: DecodeGuard { DecodeGuard(cancellation: nil, duration: .seconds(3600)) }

    private static func planes(_ bytes: [UInt8], eighths: Int) throws -> (DecodedPlanes, PlaneScales) {
        let decode = try #require(try JPEGDecode(MemoryByteSource(bytes), eighths: eighths, guardian: guardian))
        return (DecodedPlanes(decode), decode.scales)
    }

    /// A sample as a number from -128 to 127, with what is left of its binary places.
    private static func level(_ sample: PlaneSample) -> Double {
        min(127, max(-128, Double(sample) / Double(1 << PlaneSample.binaryPlaces)))
    }

    /// Encodings whose planes are compared.
    private static func encodings() throws -> [[UInt8]] {
        var result: [[UInt8]] = []
        for (sampling, channels) in [
            ([(1, 1)], 1), ([(2, 2), (1, 1), (1, 1)], 3), ([(1, 1), (1, 1), (1, 1)], 3), ([(2, 1), (1, 1), (1, 1)], 3),
            ([(4, 1), (1, 1), (1, 1)], 3),
        ] {
            let raster = Raster(Scene(seed: 31, subject: .seaside, noise: 4), width: 131, height: 83)
            for scans in [[], LibJPEGEncoder.progression(channels)] {
                result.append(
                    try LibJPEGEncoder(sampling: sampling, quality: 88, scans: scans)
                        .encode(channels == 1 ? raster.grey : raster))
            }
        }
        return result
    }

    @Test("1/1 and 1/8 are libjpeg's within 1", arguments: [1, 8])
    func againstLibJPEG(eighths: Int) throws {
        var compared = 0
        for bytes in try Self.encodings() {
            let (ours, scales) = try Self.planes(bytes, eighths: eighths)
            let theirs = try #require(LibJPEG(planesOf: bytes, eighths: eighths))
            for (index, reference) in theirs.components.enumerated()
            // libjpeg shrinks subsampled components less, as this library does, but not always alike; and its transforms to
            // other sizes use more than the corner.
            where Int(reference.scale) == scales.planes[index].scale && [1, 8].contains(reference.scale) {
                let size = ours.sizes[index]
                try #require(Int(reference.width) == size.width && Int(reference.height) == size.height)
                // libjpeg uses the padding of blocks that lie partly outside the image, so these are not compared.
                let frame = try #require(
                    try JPEGDecode(MemoryByteSource(bytes), eighths: 8, guardian: Self.guardian)
                ).header.frame.components[index]
                let whole = PixelSize(
                    width: eighths == 8 ? size.width : frame.size.width / 8,
                    height: eighths == 8 ? size.height : frame.size.height / 8)
                for place in 0..<size.pixelCount
                where place % size.width < whole.width && place / size.width < whole.height {
                    let difference = Self.level(ours.samples[index][place]) - Double(reference.samples[place]) + 128
                    guard abs(difference) > 1 else { continue }
                    Issue.record("sample \(place) of component \(index) is off by \(difference)")
                    return
                }
                compared += 1
            }
        }
        #expect(compared >= 10)
    }

    @Test("N/8 is an N×N transform of the corner, within 1", arguments: 1...8)
    func againstDefinition(eighths: Int) throws {
        for bytes in try Self.encodings() {
            let difference = try Self.largestDifference(bytes, eighths: eighths, everyBlock: 1)
            #expect(difference <= 1)
        }
    }

    @Test("coarse steps of 16 bits give the same transform, within 1", arguments: 1...8)
    func coarseSteps(eighths: Int) throws {
        // A pattern like red text on white, which gives the largest coefficients.
        var random = SeededGenerator(seed: 4)
        let samples = (0..<96 * 64).flatMap { place -> [UInt8] in
            let isSet = (place % 96 / 3 + place / 96 / 5) % 2 == 0 || random.index(below: 9) == 0
            return isSet ? [255, 0, 255] : [0, 255, 0]
        }
        let raster = Raster(width: 96, height: 64, channels: 3, bytes: samples)
        for quality in [1, 2, 3, 10] {
            for scans in [[], LibJPEGEncoder.progression(3)] {
                let encoder = LibJPEGEncoder(quality: quality, hasCoarseSteps: true, scans: scans)
                let difference = try Self.largestDifference(
                    try encoder.encode(raster), eighths: eighths, everyBlock: 1)
                #expect(difference <= 1, "quality \(quality)")
            }
        }
    }

    @Test("the transform is exact for any steps and the largest coefficients, at every scale", arguments: 1...8)
    func extremes(scale: Int) {
        Self.checkExtremes(scale: scale, seed: .random(in: 0 ... .max))
    }

    @Test("so it is for blocks whose rounded coefficients all point one way")
    func addedUp() {
        // Samples of scale 7 beyond 16 bits.
        Self.checkExtremes(scale: 7, seed: 6_872_453_390_237_264_691)
    }

    private static func checkExtremes(scale: Int, seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        print("extreme blocks from seed \(seed)")
        for round in 0..<300 {
            let largest = [255, 255, 700, 4000, 65535][round % 5]
            let steps = (0..<64).map { _ in UInt16(1 + random.index(below: largest)) }
            // Samples of black and white: the sign of a product of two cosines, or noise.
            let (u, v) = (random.index(below: 8), random.index(below: 8))
            let samples = (0..<64).map { place -> Double in
                if round % 3 == 0 { return random.index(below: 2) == 0 ? -128 : 127 }
                return Self.wave(u, place % 8) * Self.wave(v, place / 8) >= 0 ? 127 : -128
            }
            var stored = [Int](repeating: 0, count: 64)
            for (index, natural) in JPEGTables.naturalOrder.enumerated() {
                let exact = (0..<64).reduce(0) {
                    $0 + samples[$1] * Self.wave(natural % 8, $1 % 8) * Self.wave(natural / 8, $1 / 8)
                }
                stored[natural] = Int((exact / Double(steps[index])).rounded())
            }
            let wanted = Self.transformed(scale) { u, v in
                let index = JPEGTables.naturalOrder.firstIndex(of: v * 8 + u)!
                return Double(stored[v * 8 + u] * Int(steps[index]))
            }
            // The same block eight times, a coefficient of all of them side by side.
            let source = (0..<scale * scale).flatMap {
                repeatElement(Int16(stored[$0 / scale * 8 + $0 % scale]), count: 8)
            }
            let pitch = 8 * scale + 8
            var made = [PlaneSample](repeating: 0, count: pitch * scale + 64)
            BlockTransform(scale: scale, quantization: steps).transform(
                source, stride: 8, count: 8, into: &made, pitch: pitch)
            for place in 0..<8 * scale * scale {
                let (x, y) = (place % (8 * scale), place / (8 * scale))
                let sample = min(127, max(-128, wanted[y * scale + x % scale]))
                let difference = abs(Self.level(made[y * pitch + x]) - sample)
                guard difference > 1 else { continue }
                Issue.record("round \(round), sample \(x), \(y) is off by \(difference), seed \(seed)")
                return
            }
        }
    }

    /// ½ C(u) cos((2x+1)uπ/16), which is orthonormal.
    private static func wave(_ u: Int, _ x: Int) -> Double { cosines[7][x * 8 + u] }

    @Test(
        "so it is in photographs", .enabled(if: !SharedPhotos.paths.isEmpty, "../shared/photos is not there"))
    func photographs() throws {
        for (index, path) in SharedPhotos.paths.enumerated().filter({ $0.offset % 4 == 0 }) {
            let bytes = try FileByteSource(path: path).bytes()
            let eighths = 1 + index / 4 % 8
            guard LibJPEG(coefficientsOf: bytes)?.warningCount == 0 else { continue }
            #expect(try Self.largestDifference(bytes, eighths: eighths, everyBlock: 89) <= 1, "\(path)")
        }
    }

    /// Between this library's planes and a transform by the definition, of every so many blocks.
    private static func largestDifference(_ bytes: [UInt8], eighths: Int, everyBlock step: Int) throws -> Double {
        let (ours, scales) = try planes(bytes, eighths: eighths)
        let reference = try #require(LibJPEG(coefficientsOf: bytes))
        let frame = try #require(try JPEGDecode(MemoryByteSource(bytes), eighths: 8, guardian: guardian)).header.frame
        var largest = 0.0
        for (index, component) in reference.components.enumerated() {
            let scale = scales.planes[index].scale
            let size = ours.sizes[index]
            let steps = component.stepsInNaturalOrder
            for block in stride(from: 0, to: Int(component.columns * component.rows), by: step) {
                let (column, row) = (block % Int(component.columns), block / Int(component.columns))
                var coefficients = (0..<64).map {
                    Double(component.coefficient(column: column, row: row, index: $0) * steps[$0])
                }
                // Outside the picture, a block's samples count as equal to the last ones inside.
                let own = frame.components[index].size
                let inside = PixelSize(
                    width: min(8, own.width - 8 * column), height: min(8, own.height - 8 * row))
                if scale < 8, inside != PixelSize(width: 8, height: 8) {
                    coefficients = padded(coefficients, beyond: inside)
                }
                let samples = transformed(scale) { coefficients[$1 * 8 + $0] }
                for place in 0..<scale * scale {
                    let (x, y) = (column * scale + place % scale, row * scale + place / scale)
                    guard x < size.width, y < size.height else { continue }
                    let wanted = min(127, max(-128, samples[place]))
                    largest = max(largest, abs(level(ours.samples[index][y * size.width + x]) - wanted))
                }
            }
        }
        return largest
    }

    /// A block's coefficients after its samples outside the picture are set to the last ones inside.
    private static func padded(_ coefficients: [Double], beyond size: PixelSize) -> [Double] {
        let samples = transformed(8) { coefficients[$1 * 8 + $0] }
        let padded = (0..<64).map { samples[min($0 / 8, size.height - 1) * 8 + min($0 % 8, size.width - 1)] }
        return (0..<64).map { natural in
            (0..<64).reduce(0) {
                $0 + padded[$1] * wave(natural % 8, $1 % 8) * wave(natural / 8, $1 / 8)
            }
        }
    }

    /// ¼ ΣΣ C(u)C(v) F(u,v) cos((2x+1)uπ/2N) cos((2y+1)vπ/2N), u and v below N.
    private static func transformed(_ scale: Int, _ coefficient: (Int, Int) -> Double) -> [Double] {
        let cosines = cosines[scale - 1]
        var rows = [Double](repeating: 0, count: scale * scale)
        for v in 0..<scale {
            for x in 0..<scale {
                rows[v * scale + x] = (0..<scale).reduce(0) { $0 + cosines[x * scale + $1] * coefficient($1, v) }
            }
        }
        return (0..<scale * scale).map { place in
            (0..<scale).reduce(0) { $0 + cosines[place / scale * scale + $1] * rows[$1 * scale + place % scale] }
        }
    }

    /// For each scale, by sample and frequency, with half of the factor ¼.
    private static let cosines: [[Double]] = (1...8).map { scale in
        (0..<scale * scale).map { place in
            let (x, u) = (place / scale, place % scale)
            let weight = u == 0 ? 0.5.squareRoot() : 1
            return 0.5 * weight * cos(Double((2 * x + 1) * u) * Double.pi / Double(2 * scale))
        }
    }
}
