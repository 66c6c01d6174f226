import Dispatch
import Foundation
import Thumbwheel
import ThumbwheelLocks

/// Very many hostile files through decoder processes. Half of them are made to fail: the decoder that is used has planted
/// faults, and the end of a file names the fault that it triggers (`PlantedDecoder`). The others are damaged, most of them.
///
/// A storm is survived if every request ends exactly once, if no process is left over, and if the host's memory and
/// descriptors stay as they were early on.
package final class IsolationStorm: Sendable {
    package struct Settings: Sendable {
        package var seed: UInt64
        /// The number of requests.
        package var count = 100_000
        package var workers = 2
        /// Whether some faults take a second or a gigabyte.
        package var takesSlowFaults = true
        /// The limit of time for an image.
        package var renderDuration = Duration.seconds(1)
        /// How long a process may take to end.
        package var endingDuration = Duration.seconds(10)
        /// The path of the decoder with planted faults.
        package var decoder: String

        package init(seed: UInt64, decoder: String) {
            (self.seed, self.decoder) = (seed, decoder)
        }
    }

    /// What the requests came to.
    package struct Outcome: Sendable {
        package var images = 0
        package var errors: [String: Int] = [:]
        package var planted = 0
        package var decoders = DecoderStatistics()
        /// The host early on, and at the end.
        package var usage: (early: HostUsage, late: HostUsage)?
        /// Broken promises, in words.
        package var faults: [String] = []
    }

    private struct State {
        var outcome = Outcome()
        /// How often each request has ended.
        var endings: [UInt8]
        /// All processes that were seen to descend from this one.
        var processes: Set<SeenProcess> = []
    }

    /// Faults that cost a process a few milliseconds.
    private static let quickFaults = [
        "segfault", "overrun", "socket", "program", "fork", "exit", "noise", "giant", "short", "unsealed", "nothing",
        "close",
    ]
    /// Faults that take a second or a gigabyte, which one request of so many triggers.
    private static let slowFaults = ["loop", "gigabyte", "asker"]
    private static let slowInterval = 1500
    /// The longest file that is used, in bytes.
    private static let byteLimit = 1 << 20

    private var limits: RenderLimits {
        RenderLimits(
            pixelCount: 40_000_000, byteCount: 64 << 20, memoryByteCount: 128 << 20, duration: settings.renderDuration)
    }

    private let files: [(name: String, bytes: [UInt8])]
    private let settings: Settings
    private let state: Mutex<State>

    /// - Parameter paths: the files. Those whose heads cannot be read never come to a decoder, and are left out, as are very
    ///   long ones.
    package init(_ paths: [String], settings: Settings) {
        self.settings = settings
        files = paths.compactMap { path in
            guard let file = try? FileByteSource(path: path), file.byteCount <= Self.byteLimit,
                let bytes = try? file.bytes(), Self.asset(of: bytes, number: 0) != nil
            else {
                return nil
            }
            return (path, bytes)
        }
        state = Mutex(State(endings: Array(repeating: 0, count: settings.count)))
    }

    /// The number of files that are used.
    package var fileCount: Int { files.count }

    /// Makes all requests, and says how it went.
    ///
    /// - Parameter progress: called now and then with the number of requests so far.
    package func run(progress: (Int) -> Void = { _ in }) throws -> Outcome {
        guard !files.isEmpty else { return state.withLock { $0.outcome } }
        try play(progress)
        // The manager is gone, and its processes end now.
        let left = state.withLock { $0.processes }.union(HostUsage.descendants).filter {
            !$0.hasEnded(within: settings.endingDuration / .seconds(1))
        }
        return state.withLock { state in
            if !left.isEmpty { state.outcome.faults.append("processes left over: \(Array(left))") }
            let lost = state.endings.count { $0 == 0 }
            let repeated = state.endings.count { $0 > 1 }
            if lost > 0 { state.outcome.faults.append("\(lost) requests lost") }
            if repeated > 0 { state.outcome.faults.append("\(repeated) requests ended more than once") }
            if let usage = state.outcome.usage {
                state.outcome.faults += usage.late.excess(over: usage.early)
            }
            return state.outcome
        }
    }

    private func play(_ progress: (Int) -> Void) throws {
        let manager = try ImageManager(
            configuration: ImageManager.Configuration {
                $0.workerCount = settings.workers
                $0.memoryBudget = 256 << 20
                $0.limits = limits
                $0.isolation = .all
                $0.decoderPath = settings.decoder
                $0.executor = .inline
            })
        var random = SeededGenerator(seed: settings.seed)
        let early = max(1, settings.count / 5)
        let room = DispatchSemaphore(value: 16 * settings.workers)
        for number in 0..<settings.count {
            room.wait()
            request(number, &random, of: manager) { room.signal() }
            guard number % 1000 == 999 || number + 1 == early else { continue }
            progress(number + 1)
            noteProcesses()
            if number + 1 == early {
                for _ in 0..<16 * settings.workers { room.wait() }
                let usage = HostUsage.current
                state.withLock { $0.outcome.usage = (usage, usage) }
                for _ in 0..<16 * settings.workers { room.signal() }
            }
        }
        for _ in 0..<16 * settings.workers { room.wait() }
        noteProcesses()
        let (usage, decoders) = (HostUsage.current, manager.decoderStatistics ?? DecoderStatistics())
        state.withLock { state in
            state.outcome.usage?.late = usage
            state.outcome.decoders = decoders
        }
        for _ in 0..<16 * settings.workers { room.signal() }
    }

    private func noteProcesses() {
        let processes = HostUsage.descendants
        state.withLock { $0.processes.formUnion(processes) }
    }

    private static func asset(of bytes: [UInt8], number: Int) -> Asset? {
        try? Asset(
            reading: .bytes(bytes), identifier: AssetIdentifier(high: 5, low: UInt64(number)), originalFilename: "storm"
        )
    }

    /// Requests an image of a file, which every other time is one that triggers a fault.
    private func request(
        _ number: Int, _ random: inout SeededGenerator, of manager: ImageManager,
        completion: @escaping @Sendable () -> Void
    ) {
        let file = files[Int(random.next() % UInt64(files.count))]
        var (bytes, fault) = (file.bytes, String?.none)
        let isSlow = settings.takesSlowFaults && random.next() % UInt64(Self.slowInterval) == 0
        if random.next() % 2 == 0 {
            let faults = isSlow ? Self.slowFaults : Self.quickFaults
            fault = faults[Int(random.next() % UInt64(faults.count))]
            bytes += Array("PLANTED \(fault!)".utf8)
            // Some formats end with their index, and have no head with anything behind it.
            if Self.asset(of: bytes, number: number) == nil { (bytes, fault) = (file.bytes, nil) }
        } else {
            // Number 0 leaves the file whole.
            let damage = Damage(number: Int(random.next() % 12), cuts: 4, seed: random.next())
            let damaged = damage.applied(to: bytes)
            if Self.asset(of: damaged, number: number) != nil { bytes = damaged }
        }
        guard let asset = Self.asset(of: bytes, number: number) else {
            preconditionFailure("the head of \(file.name) could be read before")
        }
        let (name, planted) = (file.name, fault)
        manager.requestImage(
            for: asset, targetSize: PixelSize(width: 96, height: 96),
            options: ImageRequestOptions { $0.deliveryMode = .highQuality }
        ) { [self] result in
            guard result.isTerminal else { return }
            end(number, result, planted, name)
            completion()
        }
    }

    private func end(_ number: Int, _ result: ImageResult, _ fault: String?, _ name: String) {
        state.withLock { state in
            state.endings[number] &+= 1
            if fault != nil { state.outcome.planted += 1 }
            switch result {
            case .failed(let error, _): state.outcome.errors[error.name, default: 0] += 1
            case .final:
                state.outcome.images += 1
                if let fault { state.outcome.faults.append("an image in spite of \(fault): \(name)") }
            case .cancelled, .degraded: state.outcome.errors["cancelled", default: 0] += 1
            }
        }
    }
}
