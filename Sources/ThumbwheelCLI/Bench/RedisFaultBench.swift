import Foundation
import Thumbwheel
import ThumbwheelRedis

/// The latencies of renders on servers whose shared Redis fails, beside those of servers that have none, in the same run.
struct RedisFaultBench {
    private enum Fault: String, CaseIterable {
        case flushed, hung, slow, stopped
    }

    private static let serverCount = 4
    /// What is rendered on each server before anything is measured: the first look-ups wait for one time-out.
    private static let warmCount = 6

    private let options: BenchOptions
    private let server: RedisProcess
    private let progress: ProgressLine

    init(_ options: BenchOptions, _ server: RedisProcess, _ progress: ProgressLine) {
        (self.options, self.server, self.progress) = (options, server, progress)
    }

    func rows() async throws -> [BenchRow] {
        var without: [Double] = []
        var with: [Fault: [Double]] = [:]
        for round in 0..<options.rounds {
            progress.show("redis: faults, round \(round + 1) of \(options.rounds)")
            without.append(try await slowest(url: nil))
            for fault in Fault.allCases {
                // A stopped Redis is one at whose port nobody listens.
                guard let url = fault == .stopped ? RedisURL("redis://127.0.0.1:1") : server.url else { continue }
                server.run("FLUSHALL")
                var delay: Process?
                switch fault {
                case .hung: server.signal(SIGSTOP)
                case .slow: delay = try server.slowDown(by: 0.05)
                case .flushed, .stopped: break
                }
                let time = try await slowest(url: url)
                if fault == .hung { server.signal(SIGCONT) }
                delay?.terminate()
                delay?.waitUntilExit()
                with[fault, default: []].append(time)
            }
        }
        return Fault.allCases.map { fault in
            BenchRow(
                "redis.\(fault.rawValue).p99", unit: "milliseconds", rounds: with[fault] ?? [],
                operations: options.photographs.count * Self.serverCount, peer: "no Redis", peerRounds: without)
        }
    }

    /// The 99th percentile of the milliseconds that images take, on servers that render at the same time, each its own
    /// sizes, so that no server profits from another.
    private func slowest(url: RedisURL?) async throws -> Double {
        let photographs = options.photographs
        let times = try await withThrowingTaskGroup(of: [Double].self) { group in
            for number in 0..<Self.serverCount {
                group.addTask { try await Self.latencies(of: photographs, on: number, url) }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }.sorted()
        return times[times.count * 99 / 100]
    }

    private static func latencies(
        of photographs: [Asset], on number: Int, _ url: RedisURL?
    ) async throws -> [Double] {
        let shared = url.map { RedisStore(RedisStore.Configuration(url: $0)) }
        let manager = ImageManager(
            configuration: ImageManager.Configuration {
                $0.workerCount = 1
                $0.keepsRenditions = false
                $0.sharedStore = shared
            }, recordsRenders: false)
        let size = PixelSize(width: 200 + number, height: 200 + number)
        var times: [Double] = []
        for asset in photographs.prefix(warmCount) + photographs {
            let (time, _) = try await Stopwatch.asyncMilliseconds {
                try await manager.imageData(for: asset, targetSize: size, encoding: .jpeg(quality: 82))
            }
            times.append(time)
        }
        await manager.shutdown()
        shared?.close()
        return Array(times.dropFirst(warmCount))
    }
}
