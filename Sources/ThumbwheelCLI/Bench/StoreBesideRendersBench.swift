import Foundation
import Thumbwheel
import ThumbwheelCaching

/// The store's writing beside a render on each processor: how many values a second it takes, and by how much the renders become
/// slower.
///
/// The renders go on for the whole time, in turns with and without puts. The threads that render also put the values, as in a
/// service, and a render's time has the puts that follow it. So nothing but the store's own thread, and the system's threads
/// that bring its bytes to the disk, competes with the renders: a thread that only put values would take time that no service
/// spends. The store is full from the start, so each value that it takes costs the removal of another one. What it writes
/// goes to the disk in the same turn, twice in it, because the system would put that off until the next one.
struct StoreBesideRendersBench {
    private static let byteCount = 12 << 10
    private static let byteLimit = 512 << 20
    /// The values that are put in a second: a few more than the 5 000 that are required, because no more can be written than
    /// are put.
    private static let putsPerSecond = 5_100
    /// The values that are put in a second to find the most that the store takes.
    private static let mostPerSecond = 40_000
    private static let turnSeconds = 4.0
    /// The turns of each kind in a round.
    private static let turnCount = 2

    private let options: BenchOptions
    private let progress: ProgressLine
    private let store: DiskStore
    private let puts: PacedPuts

    /// - Parameter folder: the folder in which the store is made.
    init(_ options: BenchOptions, progress: ProgressLine, folder: String) {
        (self.options, self.progress) = (options, progress)
        store = DiskStore(DiskStore.Configuration(folder: folder, byteLimit: Self.byteLimit))
        let value = StoredValue([UInt8](repeating: 7, count: Self.byteCount), cost: 8_000)
        puts = PacedPuts(to: store, value, seed: options.seed)
    }

    func rows() throws -> [BenchRow] {
        defer { store.close() }
        progress.show("store: values beside renders")
        puts.fill(Self.byteLimit / Self.byteCount * 5 / 4)
        sync()
        let puts = puts
        let renders = RenderThreads(
            try BenchPictures.small(seed: options.seed), count: ProcessInfo.processInfo.activeProcessorCount
        ) { puts.putDue() }
        defer { renders.end() }
        var most: [Double] = []
        var (rates, rendersWith, rendersWithout): ([Double], [Double], [Double]) = ([], [], [])
        var (with, without): ([[Double]], [[Double]]) = ([], [])
        for round in 0..<options.rounds {
            progress.show("store: puts beside renders, round \(round + 1) of \(options.rounds)")
            with.append([])
            without.append([])
            for turn in 0..<(2 * Self.turnCount) {
                // Each kind comes first as often as second.
                let hasPuts = turn.isMultiple(of: 2) == round.isMultiple(of: 2)
                _ = renders.takeTimes()
                if hasPuts {
                    rates.append(takePuts(perSecond: Self.putsPerSecond))
                } else {
                    Thread.sleep(forTimeInterval: Self.turnSeconds)
                }
                let times = renders.takeTimes()
                if hasPuts { with[round] += times } else { without[round] += times }
            }
            most.append(takePuts(perSecond: Self.mostPerSecond))
            rendersWith.append(with[round].reduce(0, +) / Double(with[round].count))
            rendersWithout.append(without[round].reduce(0, +) / Double(without[round].count))
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
            BenchRow("store.puts.most", unit: "values written a second", rounds: most),
            BenchRow(
                "store.renders", unit: "milliseconds beside puts", rounds: rendersWith,
                operations: with.first?.count ?? 0, peer: "without puts", peerRounds: rendersWithout),
            row("store.renders.p50", 50), row("store.renders.p99", 99),
        ]
    }

    /// Has values put for the time of a turn.
    ///
    /// - Returns: how many of those that were put in a second have been written. The queue holds a small part of what a turn
    ///   puts, so a store that cannot keep up drops values.
    private func takePuts(perSecond: Int) -> Double {
        let (start, before) = (MonotonicTime.now, store.statistics.drops)
        puts.start(perSecond: perSecond)
        for _ in 0..<2 {
            Thread.sleep(forTimeInterval: Self.turnSeconds / 2)
            sync()
        }
        let count = puts.stop()
        let seconds = MonotonicTime.now.milliseconds(since: start) / 1_000
        store.flush()
        return Double(count - (store.statistics.drops - before)) / seconds
    }
}
