import Dispatch
import Thumbwheel
import ThumbwheelLocks

/// Several processes that render as servers do, and share a Redis or have none.
struct BenchServers: Sendable {
    private let processes: [BenchServerProcess]

    /// - Parameter redis: the address of the Redis that all of them share; nil for none.
    init(count: Int, photographs: [String], redis: String?) throws {
        processes = try (0..<count).map { _ in try BenchServerProcess(photographs: photographs, redis: redis) }
        for process in processes { try process.waitUntilReady() }
    }

    /// Gives each server its orders, one after the other, all servers at the same time.
    ///
    /// - Parameter orders: the orders of a server, by its number.
    /// - Returns: the answers of each server.
    func answers(to orders: (Int) -> [BenchServerOrder]) throws -> [[BenchServerAnswer]] {
        let lists = processes.indices.map(orders)
        let answers = Mutex<[Int: Result<[BenchServerAnswer], any Error>]>([:])
        DispatchQueue.concurrentPerform(iterations: processes.count) { number in
            let result = Result { try lists[number].map { try processes[number].answer(to: $0) } }
            answers.withLock { $0[number] = result }
        }
        let results = answers.withLock { $0 }
        return try processes.indices.map { try results[$0]?.get() ?? [] }
    }
}
