import FixtureKit
import Testing
import ThumbwheelCore

@testable import ThumbwheelRendering

@Suite("Lanes in damaged JPEGs")
struct DamagedLanesTests {
    private static let guardian = DecodeGuard(cancellation: nil, duration: .seconds(60))

    private struct Outcome: Equatable {
        let samples: [[PlaneSample]]
        let decodedFraction: Double
        let error: RenderError?
    }

    private static func outcome(_ bytes: [UInt8], eighths: Int, _ splitting: SequentialScan.Splitting) -> Outcome? {
        guard let decode = try? JPEGDecode(MemoryByteSource(bytes), eighths: eighths, guardian: guardian),
            decode.size.pixelCount < 1 << 20
        else { return nil }
        decode.splitting = splitting
        let planes = DecodedPlanes(decode)
        return Outcome(
            samples: planes.samples, decodedFraction: planes.end.decodedFraction, error: planes.end.error)
    }

    @Test("damaged entropy data end alike, in pixels and in words, wherever lanes begin")
    func anySplit() throws {
        let seed = UInt64.random(in: 0 ... .max)
        var numbers = SeededGenerator(seed: seed)
        print("damaged entropy data from seed \(seed)")
        let picture = Raster(Scene(seed: 31, subject: .landscape, noise: 90), width: 231, height: 157)
        var damagedCount = 0
        for variation in [nil, JPEGEncoder.Variation.restartUnits(11), .restartRows(2), .optimizedTables] {
            let whole = try JPEGEncoder(quality: 88, subsampling: .yuv420, variation: variation).encode(picture)
            let scan = try #require(whole.indices.dropLast().last { whole[$0] == 0xFF && whole[$0 + 1] == 0xDA }) + 14
            for trial in 0..<24 {
                var bytes = whole
                for _ in 0...numbers.index(below: 3) {
                    bytes[scan + numbers.index(below: whole.count - scan)] = UInt8(numbers.index(below: 256))
                }
                if trial % 4 == 0 { bytes.removeLast(numbers.index(below: whole.count - scan)) }
                let eighths = 1 + numbers.index(below: 8)
                guard let alone = Self.outcome(bytes, eighths: eighths, .none) else { continue }
                if alone.error != nil { damagedCount += 1 }
                for step in stride(from: 0.0, through: 1, by: 0.04) {
                    let splitting = SequentialScan.Splitting(minimumByteCount: 48) { left in
                        min(left.upperBound - 1, left.lowerBound + Int(Double(left.count) * step))
                    }
                    let split = Self.outcome(bytes, eighths: eighths, splitting)
                    #expect(split == alone, "\(String(describing: variation)), trial \(trial) from \(step)")
                }
            }
        }
        // Some changes only change colours; most must have been noticed for this to prove anything.
        #expect(damagedCount > 20)
    }
}
