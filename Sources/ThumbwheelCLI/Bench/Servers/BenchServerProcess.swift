import Foundation

/// A process of a benchmark that renders as a server does (`BenchServer`), seen from the benchmark. One thread uses it at a
/// time.
///
/// The class is unchecked `Sendable`, because the benchmark gives each process to one thread.
final class BenchServerProcess: @unchecked Sendable {
    private let process = Process()
    private let orders = Pipe()
    private let answers = Pipe()
    private var received: [UInt8] = []

    /// Starts the process.
    ///
    /// - Parameter redis: the address of the Redis that it shares with others; nil for none.
    init(photographs: [String], redis: String?) throws {
        process.executableURL = URL(fileURLWithPath: ChildProcess.ownPath)
        process.arguments = photographs
        process.environment = ProcessInfo.processInfo.environment.merging(
            [BenchServer.variable: redis ?? "none"], uniquingKeysWith: { $1 })
        process.standardInput = orders
        process.standardOutput = answers
        try process.run()
    }

    /// Waits until the process takes orders.
    func waitUntilReady() throws {
        guard line() == BenchServer.greeting else { throw BenchError("a server of the benchmark does not start") }
    }

    deinit {
        try? orders.fileHandleForWriting.close()
        process.waitUntilExit()
    }

    /// Has an image made, and waits for it.
    func answer(to order: BenchServerOrder) throws -> BenchServerAnswer {
        try orders.fileHandleForWriting.write(contentsOf: Data((order.text + "\n").utf8))
        guard let answer = BenchServerAnswer(line()) else {
            throw BenchError("a server of the benchmark does not answer")
        }
        return answer
    }

    /// The next line of the process; empty if it has ended.
    private func line() -> String {
        while true {
            if let end = received.firstIndex(of: UInt8(ascii: "\n")) {
                defer { received.removeFirst(end + 1) }
                return String(decoding: received[..<end], as: UTF8.self)
            }
            let bytes = answers.fileHandleForReading.availableData
            if bytes.isEmpty { return "" }
            received += bytes
        }
    }
}
