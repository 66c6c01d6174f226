import Dispatch
import Thumbwheel
import ThumbwheelReplay

/// The cache's answers on two threads, of those on one in the same rounds.
///
/// Machines differ in how well two threads run beside each other even if they share nothing, so the same is measured of dictionaries
/// that belong to one thread each. They differ even more in how long a thread waits for memory that another processor has just
/// written: that shows where both threads ask for the same assets, and so count the references to the same images.
struct TwoThreadsBench {
    private let rounds: Int
    /// How many requests a thread makes in a round.
    private let operations: Int

    /// A thread makes its requests several times in a round, because the first time it has to fetch what it needs from the
    /// processor on which it ran in the round before.
    private static let passes = 5

    /// - Parameter requestCount: how many requests each thread makes before it begins again.
    init(rounds: Int, requestCount: Int) {
        self.rounds = rounds
        operations = Self.passes * requestCount
    }

    /// - Parameters:
    ///   - requests: those of the first thread, and those of the second for other assets.
    ///   - dictionaries: the first thread's, and the second's.
    func rows(requests: [CachedRequests], dictionaries: [DictionaryRequests]) -> [BenchRow] {
        let own = measure({ requests[$0].run() })
        let same = measure({ _ in requests[0].run() })
        let apart = measure({ dictionaries[$0].run() })
        return rows("manager.cachedRequest.2threads", own)
            + rows("manager.cachedRequest.2threads.sameAssets", same)
            + rows("dictionary.2threads", apart)
            + [perSecond(own)]
    }

    /// The milliseconds, and those of processor time, that two threads take and that one takes.
    private struct Times {
        var both: [Double] = []
        var one: [Double] = []
        var bothProcessor: [Double] = []
        var oneProcessor: [Double] = []
    }

    /// - Parameter pass: makes the requests of the thread with that number, 0 or 1, once.
    private func measure(_ pass: @escaping @Sendable (Int) -> Int) -> Times {
        var times = Times()
        let arenas = [ThreadArena(), ThreadArena()]
        @Sendable func run(_ thread: Int) {
            arenas[thread].run {
                for _ in 0..<Self.passes { Stopwatch.consume(pass(thread)) }
            }
        }
        for _ in 0..<rounds {
            let both = Self.milliseconds {
                DispatchQueue.concurrentPerform(iterations: 2, execute: run)
            }
            let one = Self.milliseconds { run(0) }
            times.both.append(both.time)
            times.one.append(one.time)
            times.bothProcessor.append(both.processor)
            times.oneProcessor.append(one.processor)
        }
        return times
    }

    private static func milliseconds(_ body: () -> Void) -> (time: Double, processor: Double) {
        let before = ProcessUsage.current.cpuSeconds
        let time = Stopwatch.milliseconds(body).time
        return (time, 1000 * (ProcessUsage.current.cpuSeconds - before))
    }

    /// The time of each request, which is half of one thread's where two threads do not hinder one another; and the processor
    /// time of each, which is one thread's then. On a busy machine, where two threads may have to take turns, only the second tells.
    private func rows(_ name: String, _ times: Times) -> [BenchRow] {
        [
            row(name, "nanoseconds", times.both, times.one),
            row(name + ".processor", "nanoseconds of processor time", times.bothProcessor, times.oneProcessor),
        ]
    }

    private func row(_ name: String, _ unit: String, _ both: [Double], _ one: [Double]) -> BenchRow {
        BenchRow(
            name, unit: unit, rounds: Stopwatch.nanosecondsEach(both, of: 2 * operations), operations: 2 * operations,
            peer: "the same on one thread", peerRounds: Stopwatch.nanosecondsEach(one, of: operations))
    }

    private func perSecond(_ times: Times) -> BenchRow {
        BenchRow(
            "manager.cachedRequestsPerSecond", unit: "hits a second, two threads",
            rounds: times.both.map { Double(2 * operations) * 1000 / $0 }, operations: 2 * operations,
            peer: "one thread", peerRounds: times.one.map { Double(operations) * 1000 / $0 })
    }
}
