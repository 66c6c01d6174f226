import FixtureKit
import Foundation
import ReferenceJPEG
import Testing
import ThumbwheelCore

@testable import ThumbwheelRendering

@Suite("JPEG planes against libjpeg's and against the definition")
struct JPEGPlaneTests {
    private static let guardian = DecodeGuard(cancellation: nil, duration: .seconds(300))

    private static func planes(_ bytes: [UInt8], eighths: Int) throws -> (DecodedPlanes, JPEGScales) {
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
                for place in 0..<size.pixelCount {
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
            #expect(try Self.largestDifference(bytes, eighths: eighths, everyBlock: 1) <= 1)
        }
    }

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
        var largest = 0.0
        for (index, component) in reference.components.enumerated() {
            let scale = scales.planes[index].scale
            let size = ours.sizes[index]
            let steps = component.stepsInNaturalOrder
            for block in stride(from: 0, to: Int(component.columns * component.rows), by: step) {
                let (column, row) = (block % Int(component.columns), block / Int(component.columns))
                let samples = transformed(scale) { u, v in
                    Double(component.coefficient(column: column, row: row, index: v * 8 + u) * steps[v * 8 + u])
                }
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
