import Dispatch
import Foundation
import Thumbwheel
import ThumbwheelCaching
import ThumbwheelLocks

/// The store on disk, with values of 12 KB and the page cache warm, beside a file for each value and beside SQLite.
///
/// There are as many files as values in the store, because many names and inodes take longer to find than few. Files that
/// nothing reads are empty. SQLite has fewer rows.
struct StoreBench {
    private static let byteCount = 12 << 10
    private static let readCount = 20_000
    private static let putCount = 5_000
    /// The most rows of SQLite, and the most files that two threads read.
    private static let peerLimit = 50_000

    private let options: BenchOptions
    private let progress: ProgressLine
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("bench-\(UUID().uuidString)")
        .path

    init(_ options: BenchOptions, progress: ProgressLine) {
        self.options = options
        self.progress = progress
    }

    /// The number of values in the store: as many as assets are asked for.
    private var count: Int { options.assetCount }

    func rows() throws -> [BenchRow] {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let besideRenders = try StoreBesideRendersBench(
            options, progress: progress, folder: folder + "/besideRenders"
        ).rows()
        let limit = count * (Self.byteCount + 200) * 2
        let configuration = DiskStore.Configuration(folder: folder + "/store", byteLimit: limit)
        let store = DiskStore(configuration)
        let puts = fill(store)
        let files = FileTree(folder: folder + "/files")
        let database = SQLiteValues(path: folder + "/values.sqlite")
        let peerCount = min(count, Self.peerLimit)
        progress.show("store: files and rows beside it")
        let read = Set((0..<options.rounds).flatMap(numbers(ofRound:)))
        for number in 0..<count {
            files.write(number < peerCount || read.contains(number) ? value(number) : [], number)
        }
        database.write(peerCount) { value($0) }
        // Otherwise the system would write gigabytes to the disk while hits are measured.
        sync()
        var rows = besideRenders + [puts]
        rows += reads(of: store, files, database, peerCount)
        rows += try bytes(of: store)
        store.close()
        rows.append(opening(configuration))
        return rows
    }

    private func value(_ number: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: Self.byteCount)
        withUnsafeBytes(of: number) { for (index, byte) in $0.enumerated() { bytes[index] = byte } }
        return bytes
    }

    private func key(_ number: Int) -> StoreKey {
        var generator = SeededGenerator(seed: UInt64(number) ^ options.seed << 32)
        return StoreKey(high: generator.next(), low: generator.next())
    }

    /// The numbers of the values that are read in a round.
    private func numbers(ofRound round: Int) -> [Int] {
        var random = SeededGenerator(seed: options.seed &+ UInt64(round))
        return (0..<Self.readCount).map { _ in random.index(below: count) }
    }

    /// Fills the store, and gives the processor time of writing a value.
    private func fill(_ store: DiskStore) -> BenchRow {
        var rounds: [Double] = []
        for start in stride(from: 0, to: count, by: Self.putCount) {
            progress.show("store: \(start) of \(count) values")
            let end = min(count, start + Self.putCount)
            let values = (start..<end).map { (key($0), StoredValue(value($0), cost: 8_000)) }
            let before = ProcessTime.now
            for (index, (key, value)) in values.enumerated() {
                store.put(value, for: key)
                // The queue is bounded in bytes.
                if index % 512 == 511 { store.flush() }
            }
            store.flush()
            rounds.append((ProcessTime.now - before) / Double(end - start) * 1e6)
        }
        return BenchRow(
            "store.put", unit: "microseconds of processor time", rounds: rounds, operations: Self.putCount)
    }

    private func reads(of store: DiskStore, _ files: FileTree, _ database: SQLiteValues, _ peerCount: Int) -> [BenchRow]
    {
        progress.show("store: hits")
        var (ours, theirs, others): ([Double], [Double], [Double]) = ([], [], [])
        var (p50, p99, filesP50): ([Double], [Double], [Double]) = ([], [], [])
        for round in 0..<options.rounds {
            var times: [Double] = []
            let numbers = numbers(ofRound: round)
            let rows = numbers.map { $0 % peerCount }
            // The page cache is warm: what is measured has been read before.
            for number in numbers {
                Stopwatch.consume(store.value(for: key(number)))
                Stopwatch.consume(files.read(number))
            }
            for row in rows { Stopwatch.consume(database.read(row)) }
            for number in numbers {
                let key = key(number)
                let (time, value) = Stopwatch.milliseconds { store.value(for: key) }
                precondition(value?.bytes.count == Self.byteCount, "a value that is not there")
                times.append(time * 1_000)
            }
            times.sort()
            p50.append(times[times.count / 2])
            p99.append(times[times.count * 99 / 100])
            ours.append(times.reduce(0, +) / Double(times.count))
            let fileTimes = numbers.map { number in
                Stopwatch.milliseconds { Stopwatch.consume(files.read(number)) }.time * 1_000
            }.sorted()
            filesP50.append(fileTimes[fileTimes.count / 2])
            theirs.append(fileTimes.reduce(0, +) / Double(fileTimes.count))
            others.append(
                Stopwatch.milliseconds { for row in rows { Stopwatch.consume(database.read(row)) } }.time
                    * 1_000 / Double(rows.count))
        }
        return [
            // On a busy machine, medians tell more than means: few reads are interrupted.
            BenchRow(
                "store.hit.p50", unit: "microseconds", rounds: p50, operations: Self.readCount,
                peer: "open, pread, close", peerRounds: filesP50),
            BenchRow("store.hit.p99", unit: "microseconds", rounds: p99, operations: Self.readCount),
            BenchRow(
                "store.hit", unit: "microseconds", rounds: ours, operations: Self.readCount, peer: "open, pread, close",
                peerRounds: theirs),
            BenchRow(
                "store.hit.sqlite", unit: "microseconds", rounds: ours, operations: Self.readCount,
                peer: "SQLite, a row a value", peerRounds: others),
            twoThreads("store.hits.twoThreads") { Stopwatch.consume(store.value(for: key($0.index(below: count)))) },
            // What the machine gives two threads that read files of their own.
            twoThreads("store.files.twoThreads") { Stopwatch.consume(files.read($0.index(below: peerCount))) },
        ]
    }

    /// The hits of two threads in the time in which one makes so many.
    private func twoThreads(_ name: String, _ read: @escaping @Sendable (inout SeededGenerator) -> Void) -> BenchRow {
        func perMillisecond(_ threadCount: Int, seed: UInt64) -> Double {
            let start = MonotonicTime.now
            DispatchQueue.concurrentPerform(iterations: threadCount) { thread in
                var random = SeededGenerator(seed: seed &+ UInt64(thread))
                for _ in 0..<Self.readCount { read(&random) }
            }
            return Double(threadCount * Self.readCount) / MonotonicTime.now.milliseconds(since: start)
        }
        var (two, one): ([Double], [Double]) = ([], [])
        for round in 0..<options.rounds {
            // What has been written but never read may be on the disk alone by now.
            _ = perMillisecond(1, seed: UInt64(round))
            _ = perMillisecond(2, seed: UInt64(round) &+ 1_000)
            one.append(perMillisecond(1, seed: UInt64(round)))
            two.append(perMillisecond(2, seed: UInt64(round) &+ 1_000))
        }
        return BenchRow(
            name, unit: "hits a millisecond", rounds: two, operations: Self.readCount,
            peer: "one thread", peerRounds: one)
    }

    private func bytes(of store: DiskStore) throws -> [BenchRow] {
        let contents = try store.contents()
        return [
            BenchRow(
                "store.bytes", unit: "bytes on disk", rounds: [Double(contents.byteCount)], peer: "bytes of values",
                peerRounds: [Double(contents.valueByteCount)])
        ]
    }

    /// Opens the store, and looks one value up.
    private func opening(_ configuration: DiskStore.Configuration) -> BenchRow {
        let rounds = (0..<options.rounds).map { round in
            let store = DiskStore(configuration)
            defer { store.close() }
            return Stopwatch.milliseconds { Stopwatch.consume(store.value(for: key(round))) }.time
        }
        return BenchRow("store.open", unit: "milliseconds", rounds: rounds)
    }
}

/// The processor time of this process in seconds.
private enum ProcessTime {
    static var now: Double {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
        return seconds(usage.ru_utime) + seconds(usage.ru_stime)
    }
}
