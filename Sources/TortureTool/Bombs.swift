import Foundation
import TortureKit

/// Tries every bomb so many times, prints the most that a call cost, the least of all rounds each, and says whether all
/// kept to what they may.
func tryBombs(rounds: Int) -> Bool {
    var isWell = true
    print("KiB read, KiB held, ms; the least of \(rounds) rounds")
    for bomb in Bomb.all() {
        let trials = (0..<rounds).map { _ in BombTrial(bomb).run() }
        for index in trials[0].indices {
            let costs = trials.map { $0[index] }
            let read = costs.map(\.readByteCount).min() ?? 0
            let memory = costs.compactMap(\.memoryByteCount).min() ?? 0
            let milliseconds = (costs.map(\.seconds).min() ?? 0) * 1000
            let isKept = read <= Bomb.byteLimit && memory <= Bomb.byteLimit && milliseconds <= 10
            isWell = isWell && isKept
            let numbers = [read >> 10, memory >> 10].map { "\($0)".leftPadded(to: 6) }.joined()
            let time = String(format: "%8.3f", milliseconds)
            let outcome = costs[0].code ?? "image"
            print("\(numbers)\(time)  \(bomb.name), \(costs[0].entry): \(outcome)\(isKept ? "" : "  TOO MUCH")")
        }
    }
    return isWell
}

extension String {
    fileprivate func leftPadded(to width: Int) -> String {
        String(repeating: " ", count: max(0, width - count)) + self
    }
}
