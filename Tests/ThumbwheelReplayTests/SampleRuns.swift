import Foundation
import Thumbwheel

@testable import ThumbwheelReplay

/// Runs that look like real ones, from a seed.
struct SampleRuns {
    var generator: SeededGenerator
    var frameCount = 1200

    init(seed: UInt64 = 1) {
        generator = SeededGenerator(seed: seed)
    }

    /// - Parameter trouble: from 0, a strategy that keeps up, to 1, one that does not.
    mutating func run(_ strategy: ReplayStrategy, trouble: Double, budget: Int = 64 << 20) -> ReplayRun {
        var run = ReplayRun(
            strategy: strategy, scenario: .brisk, seed: 1, settings: ReplaySettings(framesPerSecond: 60, budget: budget)
        )
        var lag = 1.0
        var cached = 0
        for number in 0..<frameCount {
            let isFlung = number > 48 && (number / 75) % 2 == 0
            lag = min(1, max(0, lag * 0.93 + (isFlung ? trouble * generator.unit() * 0.17 : 0) - 0.004))
            let visible = isFlung ? 36 : 32
            var counts = CellCounts()
            counts.frames = 1
            counts.blank = Int(Double(visible) * lag * 0.8)
            counts.degraded = min(visible - counts.blank, Int(Double(visible) * lag * 0.9) + (isFlung ? 3 : 0))
            counts.final = visible - counts.blank - counts.degraded
            if run.warmStart == nil, counts.blank == 0 { run.warmStart = number + 1 }
            cached = min(budget, cached + (isFlung ? 196_608 : 20_000) * (trouble < 0.3 ? 3 : 2) / 2)
            if cached == budget { cached -= Int(generator.unit() * 1_500_000) }
            run.frames.append(ReplayRun.Frame(counts: counts, cachedByteCount: cached))
        }
        addLatencies(to: &run, count: min(frameCount * 2, 120_000), trouble: trouble)
        addStatistics(to: &run, trouble: trouble)
        return run
    }

    private mutating func addLatencies(to run: inout ReplayRun, count: Int, trouble: Double) {
        for _ in 0..<count {
            if generator.unit() < trouble * 0.15 {
                run.neverFilled += 1
                continue
            }
            let isThere = generator.unit() < 0.75 - trouble * 0.6
            let wait = isThere ? 0 : exp(normal() * 0.9 + 2.2 + trouble * 2.5)
            run.firstMilliseconds.append(wait)
            if generator.unit() < 0.8 { run.firstMillisecondsWithPreview.append(wait) }
            if generator.unit() < 0.9 {
                run.finalMilliseconds.append(isThere ? wait : wait + exp(normal() * 0.5 + 3.2))
            }
        }
        for _ in 0..<frameCount { run.measured.callerMicroseconds.append(exp(normal() * 0.7 + 4)) }
    }

    private func addStatistics(to run: inout ReplayRun, trouble: Double) {
        run.statistics.requests.submitted = 4312
        run.statistics.requests.coalesced = 318
        run.statistics.requests.delivered = 3527
        run.statistics.requests.cancelled = 785
        run.statistics.renders.started = 4127
        run.statistics.renders.finished = 3981
        run.statistics.renders.stopped = 117
        run.statistics.renders.preempted = 29
        run.statistics.cache.lookups = 4312
        run.statistics.cache.hits = 4312 - Int(trouble * 3000)
        run.statistics.cache.insertions = 3981
        run.statistics.cache.evictions = 3640
        run.statistics.cache.peakByteCount = run.budget - 4000
        run.work = ReplayRun.Work(totalMilliseconds: 38_412, wasted: 412, wastedMilliseconds: 3816 + trouble * 9000)
        run.optimumMisses = 988
        run.blankBound = 640
        run.wallSeconds = 20.013
        run.measured.cpuSeconds = 38.21
        run.measured.peakResidentByteCount = 193 << 20
        run.measured.peakAllocatedByteCount = 141_000_000
        run.measured.idleResidentByteCount = 41 << 20
    }

    /// By twelve even ones (Irwin and Hall): near enough to normal.
    private mutating func normal() -> Double {
        (0..<12).reduce(-6.0) { sum, _ in sum + generator.unit() }
    }
}

extension ReplayDocument {
    /// A document to go with sample runs.
    static func sample(runs: [ReplayRun], scenario: String = "brisk") throws -> ReplayDocument {
        var photographs = try PhotographSet(reading: [MemoryByteSource([1, 2, 3])])
        photographs.count = 53
        photographs.bytes = 102_000_000
        return ReplayDocument(
            host: HostDescription(
                processor: "AMD EPYC 7B13", cores: 2, system: "Debian GNU/Linux 12 (bookworm)",
                allocator: "jemalloc 5.3.0", libraries: ["libvips": "8.14.1"]),
            settings: Settings(
                workload: Workload(
                    photographs: photographs, assets: 5000, scenario: scenario, seed: 1, delivery: "opportunistic",
                    clock: "real", seconds: 20, fps: 60, grid: "4x8", cell: "256x256", previews: true),
                engine: Engine(strategies: runs.map(\.strategy.rawValue), workers: 2, budgetBytes: 64 << 20)),
            runs: runs)
    }
}
