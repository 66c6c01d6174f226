import Foundation
import SimulationKit

/// Histories in files: how the process that simulates and the one that waits for it hand them to each other.
enum Recording {
    /// Writes, before each step of the seed's history, what has happened so far and what comes next: of a step that traps
    /// nobody could tell afterwards.
    static func write(seed: UInt64, to path: String) {
        _ = try? SimulatedHistory.simulate(seed: seed) { history in
            do {
                try write(history, to: path)
            } catch {
                fail("cannot write \(path)")
            }
        }
    }

    static func write(_ history: SimulatedHistory, to path: String) throws {
        let encoder = JSONEncoder()
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "infinity", negativeInfinity: "-infinity", nan: "nan")
        try encoder.encode(history).write(to: URL(filePath: path))
    }

    static func read(_ path: String) throws -> SimulatedHistory {
        let decoder = JSONDecoder()
        decoder.nonConformingFloatDecodingStrategy = .convertFromString(
            positiveInfinity: "infinity", negativeInfinity: "-infinity", nan: "nan")
        return try decoder.decode(SimulatedHistory.self, from: Data(contentsOf: URL(filePath: path)))
    }
}
