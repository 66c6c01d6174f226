import Foundation
import Thumbwheel
import ThumbwheelLocks

/// Notes what the handlers of any number of requests receive, and watches over the contract: degraded images, then one
/// terminal result, then nothing.
package final class ResultLog: Sendable {
    package enum Entry: Equatable, Sendable {
        case degraded(side: Int)
        case final(side: Int)
        case failed(String)
        case cancelled
    }

    private struct State {
        var entries: [Int: [Entry]] = [:]
        var infos: [Int: ImageInfo] = [:]
        var threads: [Int: Set<ObjectIdentifier>] = [:]
        var endedCount = 0
        var violations: [String] = []
        var watchers: [(endedCount: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let state = Mutex(State())

    package init() {}

    /// A handler that notes results under a number of the test's choice.
    package func handler(
        _ number: Int = 0, then body: @escaping @Sendable (ImageResult) -> Void = { _ in }
    ) -> @Sendable (ImageResult) -> Void {
        { [self] result in
            receive(result, number)
            body(result)
        }
    }

    package func entries(_ number: Int = 0) -> [Entry] { state.withLock { $0.entries[number] ?? [] } }

    package func info(_ number: Int = 0) -> ImageInfo? { state.withLock { $0.infos[number] } }

    /// The threads on which a request's handler has run.
    package func ran(_ number: Int = 0, on thread: Thread) -> Bool {
        state.withLock { $0.threads[number] == [ObjectIdentifier(thread)] }
    }

    /// How many requests have had their terminal result.
    package var endedCount: Int { state.withLock { $0.endedCount } }

    /// Breaches of the contract.
    package var violations: [String] { state.withLock { $0.violations } }

    /// How the requests ended.
    package var terminals: [Entry] { state.withLock { $0.entries.values.compactMap(\.last) } }

    /// Returns when this many requests have had their terminal result.
    package func waitForEnds(_ endedCount: Int = 1) async {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                if state.endedCount < endedCount { state.watchers.append((endedCount, continuation)) }
                return state.endedCount >= endedCount
            }
            if isThere { continuation.resume() }
        }
    }

    private func receive(_ result: ImageResult, _ number: Int) {
        let thread = ObjectIdentifier(Thread.current)
        let watchers = state.withLock { state in
            if let last = state.entries[number]?.last, last.isTerminal {
                state.violations.append("request \(number): \(result) after \(last)")
            }
            let entry = Entry(result)
            if case .degraded(let side) = entry, case .degraded(let last)? = state.entries[number]?.last, side <= last {
                state.violations.append("request \(number): a degraded image of \(side) px after one of \(last) px")
            }
            state.entries[number, default: []].append(entry)
            state.infos[number] = result.info
            state.threads[number, default: []].insert(thread)
            guard result.isTerminal else { return [] as [CheckedContinuation<Void, Never>] }
            state.endedCount += 1
            let watchers = state.watchers.filter { $0.endedCount <= state.endedCount }
            state.watchers.removeAll { $0.endedCount <= state.endedCount }
            return watchers.map(\.continuation)
        }
        for watcher in watchers { watcher.resume() }
    }
}

extension ResultLog.Entry {
    package var isTerminal: Bool {
        if case .degraded = self { false } else { true }
    }

    fileprivate init(_ result: ImageResult) {
        self =
            switch result {
            case .degraded(let bitmap, _): .degraded(side: bitmap.size.width)
            case .final(let bitmap, _): .final(side: bitmap.size.width)
            case .failed(let error, _): .failed(error.name)
            case .cancelled: .cancelled
            }
    }
}
