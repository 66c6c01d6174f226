import Foundation
import ThumbwheelCaching
import ThumbwheelCore

#if canImport(Glibc)
import Glibc
#endif

/// Kills processes that write to a store, and looks at what they leave behind.
///
/// Each run starts this program again as a writer, which prints the number of the last value that is certainly on the disk,
/// kills it at a random moment, and then reads all values: whatever is found must be right, and nothing may be missing but what
/// was written after the last printed number, or given up to keep the bound.
@main struct StoreCommand {
    private static let byteLimit = 64 << 20
    private static let valueByteCount = 12 << 10
    /// The values of a batch, and of one that comes to more than the bytes that wait in memory until they are written.
    private static let (fewCount, manyCount) = (50, 900)
    /// The latest values that must all be there. Earlier ones may have been given up.
    private static let certainCount = 3_000

    static func main() {
        let words = Array(CommandLine.arguments.dropFirst())
        switch words.first {
        case "fill": fill(folder: words[1], from: Int(words[2])!)
        case "kill":
            kill(runs: Int(words[1])!, seed: words.count > 2 ? UInt64(words[2])! : UInt64.random(in: 0..<1_000_000))
        default:
            print("StoreTool kill RUNS [SEED]   writers are killed, and the store is read again")
            exit(2)
        }
    }

    private static func key(_ number: Int) -> StoreKey {
        var generator = SeededGenerator(seed: UInt64(number))
        return StoreKey(high: generator.next(), low: generator.next())
    }

    private static func value(_ number: Int) -> [UInt8] {
        [UInt8](repeating: UInt8(truncatingIfNeeded: number &* 31), count: valueByteCount - number % 100)
    }

    // MARK: The writer

    private static func fill(folder: String, from first: Int) -> Never {
        let store = DiskStore(DiskStore.Configuration(folder: folder, byteLimit: byteLimit))
        var (number, burst) = (first, 0)
        while true {
            // Every fourth time, values are written to files before the index learns of them.
            for _ in 0..<(burst % 4 == 3 ? manyCount : fewCount) {
                store.put(StoredValue(value(number)), for: key(number))
                number += 1
            }
            burst += 1
            store.flush()
            let statistics = store.statistics
            guard statistics.drops == 0 else {
                FileHandle.standardError.write(Data("values are dropped: \(statistics)\n".utf8))
                exit(3)
            }
            // What is on the disk is read in between, as a service does.
            _ = store.value(for: key(number - 7))
            FileHandle.standardOutput.write(Data("\(number - 1)\n".utf8))
        }
    }

    // MARK: The runs

    private static func kill(runs: Int, seed: UInt64) {
        print("seed \(seed)")
        var random = SeededGenerator(seed: seed)
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("killed-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        var next = 0
        // The last value that was certainly written; -1 while none was.
        var last = -1
        for run in 1...runs {
            // Some writers are killed before they have written anything.
            last = runWriter(folder, from: next, milliseconds: 5 + random.index(below: 120)) ?? last
            if let fault = fault(folder, last: last) {
                print("run \(run): \(fault)")
                exit(1)
            }
            // The next writer continues behind everything that may have been written.
            next = max(next, last) + 2 * manyCount
            if run % 100 == 0 { print("\(run) of \(runs) writers killed") }
        }
        print("\(runs) writers killed, nothing wrong and nothing lost")
    }

    /// - Returns: the last number that the writer has printed.
    private static func runWriter(_ folder: String, from first: Int, milliseconds: Int) -> Int? {
        let writer = Process()
        writer.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
        writer.arguments = ["fill", folder, String(first)]
        let output = Pipe()
        writer.standardOutput = output
        guard (try? writer.run()) != nil else { return nil }
        usleep(UInt32(milliseconds) * 1_000)
        Glibc.kill(writer.processIdentifier, SIGKILL)
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        writer.waitUntilExit()
        // The last line may be cut short by the kill.
        return text.hasSuffix("\n") || text.contains("\n")
            ? text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().last.flatMap { Int($0) } : nil
    }

    /// What is wrong with the store after the value `last` was certainly written.
    private static func fault(_ folder: String, last: Int) -> String? {
        let store = DiskStore(DiskStore.Configuration(folder: folder, byteLimit: byteLimit))
        defer { store.close() }
        do throws(StoreError) {
            try store.open()
        } catch {
            return "the store does not open: \(error)"
        }
        guard last >= 0 else { return nil }
        // Numbers between two writers were never written; a whole batch before the last number was.
        let lost = (max(0, last - fewCount + 1)...last).filter { store.value(for: key($0)) == nil }
        if !lost.isEmpty {
            let reason = store.statistics.failure.map { ": \($0)" } ?? ""
            return "values \(lost) are lost\(reason), \(store.statistics)"
        }
        for number in max(0, last - certainCount)...last {
            if let found = store.value(for: key(number)), found.bytes != value(number) {
                return "value \(number) is another"
            }
        }
        let statistics = store.statistics
        return statistics.damaged > 0 ? "\(statistics.damaged) values are damaged" : nil
    }
}
