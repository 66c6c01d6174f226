import Foundation
import SoakKit

/// Runs a soak and says what came of it.
struct SoakReport {
    let settings: SoakSettings
    let isTemporary: Bool

    init(_ settings: SoakSettings, isTemporary: Bool) {
        self.settings = settings
        self.isTemporary = isTemporary
    }

    /// - Returns: the status to exit with.
    func run() async -> CInt {
        print("seed \(settings.seed)")
        fflush(nil)
        defer { if isTemporary { try? FileManager.default.removeItem(atPath: settings.folder) } }
        let seed = settings.seed
        let host: SoakHost
        do {
            host = try SoakHost(settings) { text in
                print("seed \(seed): nothing has come of \(text)")
                fflush(nil)
                exit(1)
            }
        } catch {
            print("\(settings.folder): \(error)")
            return 2
        }
        var told = ContinuousClock.now
        do {
            try await host.run { progress in
                guard ContinuousClock.now - told >= .seconds(10) else { return }
                told = ContinuousClock.now
                FileHandle.standardError.write(Data((Self.text(progress) + "\n").utf8))
            }
            print(Self.text(host.progress))
            if let live = host.progress.memory.live, let resident = host.progress.memory.resident {
                print("medians after the warm-up and at the end: \(live) bytes live, \(resident) resident")
            }
            printSizes(host.progress.memory)
            print("every promise was kept")
            return 0
        } catch let failure as SoakFailure {
            print("seed \(seed), step \(host.stepCount): \(failure.rule.rawValue)")
            print("expected: \(failure.expected)\nseen: \(failure.seen)")
            if failure.rule == .memory { printSizes(host.progress.memory) }
            print("the last steps:")
            for line in host.lastSteps { print("  \(line)") }
            return 1
        } catch {
            print("seed \(seed), step \(host.stepCount): \(error)")
            return 1
        }
    }

    /// The objects that have become more or fewer.
    private func printSizes(_ memory: MemoryWatch) {
        for (blockSize, before, now) in memory.changesBySize {
            print("in blocks of \(blockSize) bytes: \(before) bytes after the warm-up, \(now) at the end")
        }
    }

    private static func text(_ progress: SoakProgress) -> String {
        let seconds = Int(progress.elapsed / .seconds(1))
        let (live, resident) = progress.memory.last
        return
            "\(seconds) s: \(progress.stepCount) steps, \(progress.requestCount) requests, "
            + "\(live >> 10) KiB live, \(resident >> 10) KiB resident"
    }
}
