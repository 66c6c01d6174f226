import ThumbwheelAssets
import ThumbwheelCaching
import ThumbwheelCore
import ThumbwheelLocks
import ThumbwheelPipeline

/// Keeps renditions in a store that several servers share.
final class SharedKeeper: RenditionKeeper {
    private struct State {
        /// The claims that have been made and not ended.
        var claims: [ClaimID: any SharedClaim] = [:]
        /// Answers of the store to claims that are not in `claims` yet. The store may answer a claim before the call
        /// that makes the claim has returned.
        var early: [ClaimID: SharedClaimAnswer] = [:]
        /// The number of renditions that `keep` has taken, and that are neither stored nor dropped yet.
        var pendingCount = 0
        /// The signal for which `close` waits. It is raised when `pendingCount` becomes 0; nil before `close` is
        /// called.
        var waiter: TimedSignal?
    }

    private let store: any SharedStore
    private let usesEmbeddedPreviews: Bool
    private let state = Mutex(State())
    /// The threads that decode the store's answers and pass them to the pipeline. The store's own threads do not do
    /// this, because the pipeline's lock could delay them.
    private let threads = BlockingThreads(named: "thumbwheel-shared", readyCount: 2, limit: 16)
    /// The thread on which pixels are packed for the store.
    private let packing = BlockingThreads(named: "thumbwheel-pack", readyCount: 1, limit: 1)

    /// The largest value of `pendingCount`. Once it is reached, `keep` drops every further rendition, until an earlier
    /// one is stored.
    private static let pendingLimit = 512
    /// The longest time that `close` waits for renditions that are still to be stored.
    private let closingTimeout: Duration

    init(_ store: any SharedStore, usesEmbeddedPreviews: Bool, closingTimeout: Duration) {
        (self.store, self.usesEmbeddedPreviews) = (store, usesEmbeddedPreviews)
        self.closingTimeout = closingTimeout
    }

    private func sharedKey(_ key: RenditionKey, _ asset: Asset) -> SharedKey? {
        guard let name = asset.contentName(of: key.subject.version, isShared: true),
            let storeKey = StoreKey(key, of: asset, usesEmbeddedPreviews: usesEmbeddedPreviews, isShared: true)
        else { return nil }
        return SharedKey(group: UInt64(truncatingIfNeeded: NameDigest(name).value), key: storeKey)
    }

    // MARK: Looking up renditions in the shared store

    func lookUp(_ assignment: LookUpAssignment, completion: @escaping @Sendable (consuming LookUpOutcome) -> Void) {
        let (key, asset) = (assignment.key, assignment.work.asset)
        guard let sharedKey = sharedKey(key, asset) else { return threads.run { completion(.unavailable) } }
        store.lookUp(sharedKey) { [self] answer in
            threads.run { [self] in
                switch answer {
                case .found(let value):
                    completion(LookUpOutcome(value, of: key, asset, usesEmbeddedPreviews: usesEmbeddedPreviews))
                case .missing: completion(.missing)
                case .unavailable: completion(.unavailable)
                }
            }
        }
    }

    // MARK: Claims, which make sure that one server makes a rendition for all

    func claim(_ assignment: ClaimAssignment, completion: @escaping @Sendable (consuming ClaimOutcome) -> Void) {
        let (id, key, asset) = (assignment.id, assignment.key, assignment.work.asset)
        guard let sharedKey = sharedKey(key, asset) else { return threads.run { completion(.unavailable) } }
        let deliver: @Sendable (SharedClaimAnswer) -> Void = { [self] answer in
            threads.run { [self] in completion(outcome(answer, of: id, key, asset)) }
        }
        let claim = store.claim(sharedKey, lifetime: assignment.lifetime) { [self] answer in
            // The store may answer before the claim has been added to `claims`. Such an answer is delivered once the
            // claim has been added. Otherwise `endClaim` would not find a claim that was answered with `.won`.
            let isNoted = state.withLock { state in
                if state.claims[id] == nil { state.early[id] = answer }
                return state.claims[id] != nil
            }
            if isNoted { deliver(answer) }
        }
        let early = state.withLock { state in
            state.claims[id] = claim
            return state.early.removeValue(forKey: id)
        }
        if let early { deliver(early) }
        assignment.token.onCancel { claim.end() }
    }

    private func outcome(
        _ answer: SharedClaimAnswer, of id: ClaimID, _ key: RenditionKey, _ asset: Asset
    ) -> ClaimOutcome {
        if case .won = answer { return .won }
        _ = takeClaim(id)
        guard case .found(let value) = answer else { return .unavailable }
        return switch LookUpOutcome(value, of: key, asset, usesEmbeddedPreviews: usesEmbeddedPreviews) {
        case .found(let image): .found(image)
        case .refused(let error): .refused(error)
        case .missing, .unavailable: .unavailable
        }
    }

    func endClaim(_ id: ClaimID) { takeClaim(id)?.end() }

    private func takeClaim(_ id: ClaimID) -> (any SharedClaim)? {
        state.withLock { $0.claims.removeValue(forKey: id) }
    }

    // MARK: Storing renditions in the shared store

    func keep(_ assignment: KeepAssignment) {
        let asset = assignment.work.asset
        let isTaken = state.withLock { state in
            guard state.pendingCount < Self.pendingLimit else { return false }
            state.pendingCount += 1
            return true
        }
        guard isTaken, let key = sharedKey(assignment.key, asset) else {
            if isTaken { finishPending() }
            if let claim = assignment.claim { endClaim(claim) }
            return
        }
        packing.run { [self] in
            guard let value = StoredValue(assignment.result, of: asset), value.bytes.count <= store.valueByteLimit
            else {
                finishPending()
                // No server can store this rendition, so none waits for another that makes it.
                if let id = assignment.claim { takeClaim(id)?.endWithoutValue() }
                return
            }
            store.put(value, for: key) { [self] in finishPending() }
            // The claim is ended after the value has been passed to the store. Other servers that wait for the claim
            // look the value up as soon as the claim has ended.
            if let claim = assignment.claim { endClaim(claim) }
        }
    }

    private func finishPending() {
        let waiter = state.withLock { state in
            state.pendingCount -= 1
            return state.pendingCount == 0 ? state.waiter : nil
        }
        waiter?.raise()
    }

    /// Waits until the store has stored or dropped the renditions that `keep` has taken, for `closingTimeout` at most.
    /// Does not close the store: it belongs to the program that uses this library, and that program closes it.
    func close() {
        let signal = TimedSignal()
        let isWaiting = state.withLock { state in
            state.waiter = signal
            return state.pendingCount > 0
        }
        if isWaiting { signal.wait(until: .now.advanced(by: closingTimeout)) }
    }
}
