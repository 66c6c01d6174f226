import Foundation

/// The latencies of renders on servers whose shared Redis fails while they render, beside those of servers that have none.
/// Each server is a process.
///
/// Both kinds of servers are there for the whole of a round and take turns: each kind renders a few images, then the other
/// renders the same images at the same sizes. Whatever else the machine does for a second or longer hits both kinds.
struct RedisFaultBench {
    private enum Fault: String, CaseIterable {
        /// No fault: the Redis works, but has none of the images.
        case none
        case flushed, hung, slow, stopped

        /// The name in rows. A Redis without a fault is one that is empty at the beginning.
        var rowName: String { self == .none ? "empty" : rawValue }
    }

    /// The images of one round, in milliseconds each.
    private struct Round {
        var with: [Double] = []
        var without: [Double] = []
        var failedCount = 0
    }

    private static let serverCount = 4
    /// The images that each server makes before its Redis fails.
    private static let soundCount = 6
    /// The images that each server makes after the fault and that are not measured. One image at a time is asked for, so the
    /// first one alone waits for the time-out.
    private static let waitingCount = 1
    /// How often each photograph is measured in a round, each time with another size.
    private static let passCount = 6
    /// The images that each server makes before it is the turn of the servers of the other kind.
    private static let turnCount = 17

    private let options: BenchOptions
    private let progress: ProgressLine

    init(_ options: BenchOptions, _ progress: ProgressLine) { (self.options, self.progress) = (options, progress) }

    func rows() throws -> [BenchRow] {
        var rounds: [Fault: [Round]] = [:]
        for number in 0..<options.rounds {
            for fault in Fault.allCases {
                progress.show("redis: \(fault.rowName), round \(number + 1) of \(options.rounds)")
                rounds[fault, default: []].append(try round(fault))
            }
        }
        let rows = Fault.allCases.flatMap { fault in
            [(50, "p50"), (99, "p99")].map { percent, name in
                BenchRow(
                    "redis.\(fault.rowName).\(name)", unit: "milliseconds",
                    rounds: (rounds[fault] ?? []).map { percentile(percent, of: $0.with) }, operations: measuredCount,
                    peer: "no Redis", peerRounds: (rounds[fault] ?? []).map { percentile(percent, of: $0.without) })
            }
        }
        let failed = (0..<options.rounds).map { number in
            Double(rounds.values.reduce(0) { $0 + $1[number].failedCount })
        }
        return rows + [
            BenchRow(
                "redis.faults.failed", unit: "images that failed", rounds: failed,
                operations: measuredCount * Fault.allCases.count)
        ]
    }

    private var measuredCount: Int { options.photographs.count * Self.passCount * Self.serverCount }

    private func percentile(_ percent: Int, of times: [Double]) -> Double {
        times.isEmpty ? .nan : times.sorted()[times.count * percent / 100]
    }

    /// Has servers render at the same time, and lets their Redis fail after the first images. Each server makes sizes of its
    /// own, so that no server profits from another.
    private func round(_ fault: Fault) throws -> Round {
        let redis = try RedisProcess()
        func servers(_ address: String?) throws -> BenchServers {
            try BenchServers(count: Self.serverCount, photographs: options.photographPaths, redis: address)
        }
        let (with, without) = (try servers(redis.address), try servers(nil))
        let count = options.photographs.count
        var round = Round()
        func play(_ numbers: Range<Int>, on servers: BenchServers) throws -> [Double] {
            let answers = try servers.answers { server in
                numbers.map { number in
                    let side = 200 + server + Self.serverCount * (number / count)
                    return BenchServerOrder(photograph: number % count, side: side)
                }
            }.flatMap(\.self)
            round.failedCount += answers.count { $0.origin == .failed }
            return answers.map(\.milliseconds)
        }
        // The numbers of the first images lie beyond those that are measured, so their sizes are others.
        let end = count * Self.passCount
        for servers in [with, without] { _ = try play(end..<(end + Self.soundCount), on: servers) }
        let helper = try begin(fault, of: redis)
        defer {
            // A thread of Dispatch blocks most signals, and so do the processes that it starts.
            if let helper { kill(helper.processIdentifier, SIGKILL) }
            helper?.waitUntilExit()
        }
        let waiting = (end + Self.soundCount)..<(end + Self.soundCount + Self.waitingCount)
        for servers in [with, without] { _ = try play(waiting, on: servers) }
        for (turn, start) in stride(from: 0, to: end, by: Self.turnCount).enumerated() {
            let numbers = start..<min(end, start + Self.turnCount)
            // Neither kind is always the first to render an image.
            if turn.isMultiple(of: 2) { round.with += try play(numbers, on: with) }
            round.without += try play(numbers, on: without)
            if !turn.isMultiple(of: 2) { round.with += try play(numbers, on: with) }
        }
        return round
    }

    /// Lets a Redis fail.
    ///
    /// - Returns: a process that is to be ended after the round; nil if there is none.
    private func begin(_ fault: Fault, of redis: RedisProcess) throws -> Process? {
        switch fault {
        case .flushed: return try redis.runAgainAndAgain("FLUSHALL", pause: 0.1)
        case .slow: return try redis.runAgainAndAgain("DEBUG", "SLEEP", "0.05")
        case .none: break
        case .hung: redis.signal(SIGSTOP)
        case .stopped: redis.signal(SIGKILL)
        }
        return nil
    }
}
