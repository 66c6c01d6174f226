import Testing
import Thumbwheel

@testable import ThumbwheelReplay

@Suite("Metrics")
struct MetricsTests {
    @Test("percentiles are values that occurred, by nearest rank")
    func percentiles() {
        let points = Percentiles(of: (1...200).map(Double.init).shuffled())
        #expect(points.p50 == 100 && points.p95 == 190 && points.p99 == 198 && points.max == 200)
        #expect(Percentiles(of: [3]).p50 == 3)
        #expect(Percentiles(of: []).max == 0)
    }

    @Test("Belády's optimum is what an exhaustive search finds, on small random traces")
    func belady() {
        let seed = UInt64.random(in: 0 ... .max)
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<300 {
            let lookups = (0..<(1 + generator.index(below: 9))).map { _ in generator.index(below: 4) }
            let capacity = 1 + generator.index(below: 3)
            let optimum = Self.fewestMisses(lookups[...], cached: [], capacity: capacity)
            #expect(BeladyOptimum.misses(of: lookups, capacity: capacity) == optimum, "seed \(seed): \(lookups)")
        }
    }

    private static func fewestMisses(_ lookups: ArraySlice<Int>, cached: Set<Int>, capacity: Int) -> Int {
        guard let key = lookups.first else { return 0 }
        let rest = lookups.dropFirst()
        if cached.contains(key) { return fewestMisses(rest, cached: cached, capacity: capacity) }
        if cached.count < capacity { return 1 + fewestMisses(rest, cached: cached.union([key]), capacity: capacity) }
        return 1
            + cached.map { victim in
                fewestMisses(rest, cached: cached.subtracting([victim]).union([key]), capacity: capacity)
            }.min()!
    }
}
