import Foundation
import Thumbwheel
import ThumbwheelCaching

/// The store's writing beside a render on each processor: how many values a second it takes, and by how much the renders become
/// slower.
///
/// The renders go on for the whole time, in turns with and without puts, and in turns in which a thread only writes as many bytes
/// over files, which tells what the disk and the system alone take. The threads that render also put the values, as in a
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

    /// The work that goes on beside the renders.
    private enum Kind: Int, CaseIterable {
        case nothing, puts, bytes
    }

    private let options: BenchOptions
    private let progress: ProgressLine
    private let store: DiskStore
    private let puts: PacedPuts
    private let folder: String

    /// - Parameter folder: the folder in which the store is made.
    init(_ options: BenchOptions, progress: ProgressLine, folder: String) {
        (self.options, self.progress) = (options, progress)
        self.folder = folder
        store = DiskStore(DiskStore.Configuration(folder: folder, byteLimit: Self.byteLimit))
        let value = StoredValue([UInt8](repeating: 7, count: Self.byteCount), cost: 8_000)
        puts = PacedPuts(to: store, value, seed: options.seed)
    }

    func rows() throws -> [BenchRow] {
        defer { store.close() }
        progress.show("store: values beside renders")
        puts.fill(Self.byteLimit / Self.byteCount * 5 / 4)
        let writes = try PacedWrites(
            folder: folder + ".bytes", byteCount: Self.byteLimit, perSecond: Self.putsPerSecond * Self.byteCount)
        defer { writes.end() }
        sync()
        let puts = puts
        let renders = RenderThreads(
            try BenchPictures.small(seed: options.seed), count: ProcessInfo.processInfo.activeProcessorCount
        ) { puts.putDue() }
        defer { renders.end() }
        var (most, rates): ([Double], [Double]) = ([], [])
        var times: [Kind: [[Double]]] = [:]
        for round in 0..<options.rounds {
            progress.show("store: puts beside renders, round \(round + 1) of \(options.rounds)")
            for kind in Kind.allCases { times[kind, default: []].append([]) }
            for turn in 0..<(Kind.allCases.count * Self.turnCount) {
                // Each kind comes first, second and last in turn.
                let kind = Kind.allCases[(turn + round) % Kind.allCases.count]
                _ = renders.takeTimes()
                switch kind {
                case .nothing: Thread.sleep(forTimeInterval: Self.turnSeconds)
                case .puts: rates.append(takePuts(perSecond: Self.putsPerSecond))
                case .bytes:
                    writes.start()
                    waitForTurn()
                    writes.stop()
                }
                times[kind]?[round] += renders.takeTimes()
            }
            most.append(takePuts(perSecond: Self.mostPerSecond))
        }
        func rounds(_ kind: Kind, _ figure: ([Double]) -> Double) -> [Double] {
            (times[kind] ?? []).map { $0.isEmpty ? .nan : figure($0) }
        }
        func row(_ name: String, _ kind: Kind, _ unit: String, _ figure: ([Double]) -> Double) -> BenchRow {
            BenchRow(
                name, unit: unit, rounds: rounds(kind, figure), operations: times[kind]?.first?.count ?? 0,
                peer: "with nothing beside", peerRounds: rounds(.nothing, figure))
        }
        func rows(_ name: String, _ kind: Kind, _ unit: String) -> [BenchRow] {
            [
                row(name, kind, unit) { $0.reduce(0, +) / Double($0.count) },
                row(name + ".p50", kind, unit) { $0.sorted()[$0.count / 2] },
                row(name + ".p99", kind, unit) { $0.sorted()[$0.count * 99 / 100] },
            ]
        }
        return [
            BenchRow("store.puts.besideRenders", unit: "values written a second", rounds: rates),
            BenchRow("store.puts.most", unit: "values written a second", rounds: most),
        ] + rows("store.renders", .puts, "milliseconds beside puts")
            + rows("store.renders.bytes", .bytes, "milliseconds beside pwrite of as many bytes")
    }

    /// Waits for the time of a turn. What has been written goes to the disk twice in it.
    private func waitForTurn() {
        for _ in 0..<2 {
            Thread.sleep(forTimeInterval: Self.turnSeconds / 2)
            sync()
        }
    }

    /// Has values put for the time of a turn.
    ///
    /// - Returns: how many of those that were put in a second have been written. The queue holds a small part of what a turn
    ///   puts, so a store that cannot keep up drops values.
    private func takePuts(perSecond: Int) -> Double {
        let (start, before) = (MonotonicTime.now, store.statistics.drops)
        puts.start(perSecond: perSecond)
        waitForTurn()
        let count = puts.stop()
        let seconds = MonotonicTime.now.milliseconds(since: start) / 1_000
        store.flush()
        return Double(count - (store.statistics.drops - before)) / seconds
    }
}
