import Foundation
import Thumbwheel
import ThumbwheelCaching

/// The store's writing beside a render on each processor: how many values a second it takes, and by how much the renders become
/// slower.
///
/// The renders go on for the whole time, in turns with and without puts. The store is full from the start, so each value that
/// it takes costs the removal of another one. What it writes goes to the disk in the same turn, because the system would put
/// that off until the next one.
struct StoreBesideRendersBench {
    private static let byteCount = 12 << 10
    private static let byteLimit = 512 << 20
    /// The values that are put in a second: as many as are required.
    private static let putsPerSecond = 5_000
    private static let turnSeconds = 2.0
    /// The turns of each kind in a round.
    private static let turnCount = 3

    private let options: BenchOptions
    private let progress: ProgressLine
    private let store: DiskStore
    private let value = StoredValue([UInt8](repeating: 7, count: Self.byteCount), cost: 8_000)

    /// - Parameter folder: the folder in which the store is made.
    init(_ options: BenchOptions, progress: ProgressLine, folder: String) {
        (self.options, self.progress) = (options, progress)
        store = DiskStore(DiskStore.Configuration(folder: folder, byteLimit: Self.byteLimit))
    }

    func rows() throws -> [BenchRow] {
        defer { store.close() }
        progress.show("store: values beside renders")
        var putCount = fill()
        let renders = RenderThreads(
            try BenchPictures.small(seed: options.seed),
            count: ProcessInfo.processInfo.activeProcessorCount)
        defer { renders.end() }
        var rates: [Double] = []
        var (with, without): ([[Double]], [[Double]]) = ([], [])
        for round in 0..<options.rounds {
            progress.show("store: puts beside renders, round \(round + 1) of \(options.rounds)")
            with.append([])
            without.append([])
            for turn in 0..<(2 * Self.turnCount) {
                // Each kind comes first as often as second.
                let hasPuts = turn.isMultiple(of: 2) == round.isMultiple(of: 2)
                _ = renders.takeTimes()
                if hasPuts { rates.append(put(&putCount)) } else { Thread.sleep(forTimeInterval: Self.turnSeconds) }
                let times = renders.takeTimes()
                if hasPuts {
                    with[round] += times
                    sync()
                } else {
                    without[round] += times
                }
            }
        }
        func row(_ name: String, _ percent: Int) -> BenchRow {
            func percentiles(_ rounds: [[Double]]) -> [Double] {
                rounds.map { $0.isEmpty ? .nan : $0.sorted()[$0.count * percent / 100] }
            }
            return BenchRow(
                name, unit: "milliseconds beside puts", rounds: percentiles(with),
                operations: with.first?.count ?? 0, peer: "without puts", peerRounds: percentiles(without))
        }
        return [
            BenchRow("store.puts.besideRenders", unit: "values written a second", rounds: rates),
            row("store.renders.p50", 50), row("store.renders.p99", 99),
        ]
    }

    private func key(_ number: Int) -> StoreKey {
        var generator = SeededGenerator(seed: UInt64(number) ^ options.seed << 32)
        return StoreKey(high: generator.next(), low: generator.next())
    }

    /// Fills the store beyond its bound.
    ///
    /// - Returns: the number of values that have been put.
    private func fill() -> Int {
        let count = Self.byteLimit / Self.byteCount * 5 / 4
        for number in 0..<count {
            store.put(value, for: key(number))
            // The queue is bounded in bytes.
            if number % 512 == 511 { store.flush() }
        }
        store.flush()
        sync()
        return count
    }

    /// Puts values for the time of a turn, a hundred times a second as many as are due.
    ///
    /// - Returns: how many have been written in a second.
    private func put(_ count: inout Int) -> Double {
        let (start, first, before) = (MonotonicTime.now, count, store.statistics.writes)
        let writeBack = Thread { while !Thread.current.isCancelled { sync() } }
        writeBack.start()
        defer { writeBack.cancel() }
        while true {
            let seconds = MonotonicTime.now.milliseconds(since: start) / 1_000
            guard seconds < Self.turnSeconds else { break }
            while count - first < Int(seconds * Double(Self.putsPerSecond)) {
                store.put(value, for: key(count))
                count += 1
            }
            Thread.sleep(forTimeInterval: 0.01)
        }
        store.flush()
        // Values that are written again to make room count neither as put nor here.
        let written = min(store.statistics.writes - before, count - first)
        return Double(written) / MonotonicTime.now.milliseconds(since: start) * 1_000
    }
}
