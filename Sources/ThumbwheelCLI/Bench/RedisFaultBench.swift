import Foundation

/// The latencies of renders on servers whose shared Redis fails while they render, beside those of servers that have none, in
/// the same run. Each server is a process.
struct RedisFaultBench {
    private enum Fault: String, CaseIterable {
        case flushed, hung, slow, stopped
    }

    /// The images of one trial.
    private struct Trial {
        var times: [Double] = []
        var failedCount = 0
    }

    private static let serverCount = 4
    /// The images that each server makes before its Redis fails.
    private static let soundCount = 6
    /// The images that each server makes after the fault and that are not measured. One image at a time is asked for, so the
    /// first one alone waits for the time-out.
    private static let waitingCount = 1
    /// How often each photograph is measured in a trial, each time with another size.
    private static let passCount = 4

    private let options: BenchOptions
    private let progress: ProgressLine

    init(_ options: BenchOptions, _ progress: ProgressLine) { (self.options, self.progress) = (options, progress) }

    func rows() throws -> [BenchRow] {
        var without: [Double] = []
        var with: [Fault: [Double]] = [:]
        var failed: [Double] = []
        for round in 0..<options.rounds {
            progress.show("redis: faults, round \(round + 1) of \(options.rounds)")
            without.append(percentile99(of: try trial(nil)))
            var failedCount = 0
            for fault in Fault.allCases {
                let trial = try trial(fault)
                with[fault, default: []].append(percentile99(of: trial))
                failedCount += trial.failedCount
            }
            failed.append(Double(failedCount))
        }
        return Fault.allCases.map { fault in
            BenchRow(
                "redis.\(fault.rawValue).p99", unit: "milliseconds", rounds: with[fault] ?? [],
                operations: measuredCount, peer: "no Redis", peerRounds: without)
        } + [
            BenchRow(
                "redis.faults.failed", unit: "images that failed", rounds: failed,
                operations: measuredCount * Fault.allCases.count)
        ]
    }

    private var measuredCount: Int {
        (options.photographs.count * Self.passCount - Self.waitingCount) * Self.serverCount
    }

    private func percentile99(of trial: Trial) -> Double {
        let times = trial.times.sorted()
        return times.isEmpty ? .nan : times[times.count * 99 / 100]
    }

    /// Has servers render at the same time, and lets their Redis fail after the first images. Each server makes sizes of its
    /// own, so that no server profits from another.
    ///
    /// - Parameter fault: nil for servers without a Redis.
    private func trial(_ fault: Fault?) throws -> Trial {
        let redis = try fault.map { _ in try RedisProcess() }
        let servers = try BenchServers(
            count: Self.serverCount, photographs: options.photographPaths, redis: redis?.address)
        let count = options.photographs.count
        func order(_ number: Int, ofServer server: Int) -> BenchServerOrder {
            let side = 200 + server + Self.serverCount * (number / count)
            return BenchServerOrder(photograph: number % count, side: side)
        }
        var trial = Trial()
        func play(_ numbers: Range<Int>, isMeasured: Bool) throws {
            for answers in try servers.answers(to: { server in numbers.map { order($0, ofServer: server) } }) {
                trial.failedCount += answers.count { $0.origin == .failed }
                if isMeasured { trial.times += answers.map(\.milliseconds) }
            }
        }
        // The numbers of the first images lie beyond those that are measured, so their sizes are others.
        let end = count * Self.passCount
        try play(end..<(end + Self.soundCount), isMeasured: false)
        let helper = try fault.flatMap { fault in try redis.flatMap { try begin(fault, of: $0) } }
        defer {
            // A thread of Dispatch blocks most signals, and so do the processes that it starts.
            if let helper { kill(helper.processIdentifier, SIGKILL) }
            helper?.waitUntilExit()
        }
        try play(0..<Self.waitingCount, isMeasured: false)
        try play(Self.waitingCount..<end, isMeasured: true)
        return trial
    }

    /// Lets a Redis fail.
    ///
    /// - Returns: a process that is to be ended after the trial; nil if there is none.
    private func begin(_ fault: Fault, of redis: RedisProcess) throws -> Process? {
        switch fault {
        case .flushed: return try redis.runAgainAndAgain("FLUSHALL", pause: 0.1)
        case .slow: return try redis.runAgainAndAgain("DEBUG", "SLEEP", "0.05")
        case .hung: redis.signal(SIGSTOP)
        case .stopped: redis.signal(SIGKILL)
        }
        return nil
    }
}
