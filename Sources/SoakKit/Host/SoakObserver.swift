import Foundation
import Thumbwheel
import ThumbwheelLocks

/// Follows a user's view by its changes alone, and complains of what it should not have been told.
final class SoakObserver: Sendable {
    private struct State {
        var result: FetchResult<Asset>
        /// Of the policy, when `result` was fetched.
        var policyChangeCount: Int
        /// Of all that it was told of, whether it has dealt with them or not.
        var transactionCount = 0
        var handledCount = 0
        /// Once the observation has ended: no more transactions than these may be told of.
        var limit: Int?
    }

    private let view: PhotoLibrary
    private let policy: SoakPolicy
    private let complaints: Complaints
    private let name: String
    private let state: Mutex<State>

    init(_ name: String, _ view: PhotoLibrary, _ policy: SoakPolicy, _ complaints: Complaints) {
        self.name = name
        self.view = view
        self.policy = policy
        self.complaints = complaints
        state = Mutex(State(result: view.fetchAssets(), policyChangeCount: policy.changeCount))
    }

    /// How many transactions it has been told of, and has dealt with.
    var transactionCount: Int { state.withLock { $0.handledCount } }

    /// What it believes to be in the view; nil where the policy has changed since it looked.
    var numbers: [Int]? {
        let (result, count) = state.withLock { ($0.result, $0.policyChangeCount) }
        return count == policy.changeCount ? result.map(\.identifier.soakNumber) : nil
    }

    /// No transaction after the present number may be told of any more.
    func end(at transactionCount: Int) { state.withLock { $0.limit = transactionCount } }

    /// Called for one change at a time.
    func observe(_ change: LibraryChange) {
        follow(change)
        state.withLock { $0.handledCount += change.transactionCount }
    }

    private func follow(_ change: LibraryChange) {
        let policyChangeCount = policy.changeCount
        let (isLate, former) = state.withLock { state in
            state.transactionCount += change.transactionCount
            return (state.limit.map { $0 < state.transactionCount } ?? false, state)
        }
        if isLate {
            complaints.note(.observer, expected: "\(name): nothing after its end", seen: "a change")
        }
        guard former.policyChangeCount == policyChangeCount else {
            let result = view.fetchAssets()
            return state.withLock { ($0.result, $0.policyChangeCount) = (result, policyChangeCount) }
        }
        let details = change.changeDetails(for: former.result)
        let told =
            change.assetsWithLostContents + (details?.fetchResultAfterChanges.map(\.identifier) ?? [])
            + (details?.insertedObjects.map(\.identifier) ?? [])
        let forbidden = told.first { !policy.sees($0) }
        // Where the policy changed meanwhile, nobody can say by which of its values it was asked.
        guard policy.changeCount == policyChangeCount else { return }
        if let forbidden {
            complaints.note(
                .observer, expected: "\(name): nothing of asset \(forbidden.soakNumber)", seen: "a change of it")
        }
        guard let details else { return }
        if let fault = Self.fault(of: details) {
            complaints.note(.observer, expected: "\(name): details that lead to the result", seen: fault)
        }
        state.withLock { $0.result = details.fetchResultAfterChanges }
    }

    /// Does the change step by step, as a view of the result would.
    private static func fault(of details: FetchResultChangeDetails<Asset>) -> String? {
        guard let removed = details.removedIndexes, let inserted = details.insertedIndexes else { return nil }
        var list = details.fetchResultBeforeChanges.map(\.identifier)
        let after = details.fetchResultAfterChanges.map(\.identifier)
        for index in removed.reversed() {
            guard index < list.count else { return "a removal beyond the end" }
            list.remove(at: index)
        }
        for index in inserted {
            guard index <= list.count, index < after.count else { return "an insertion beyond the end" }
            list.insert(after[index], at: index)
        }
        for move in details.moves {
            guard move.from < list.count, move.to < list.count else { return "a move beyond the end" }
            list.insert(list.remove(at: move.from), at: move.to)
        }
        return list == after ? nil : "\(list.map(\.soakNumber)) for \(after.map(\.soakNumber))"
    }
}
