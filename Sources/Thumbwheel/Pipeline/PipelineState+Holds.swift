import ThumbwheelScheduling

// MARK: What windows hold

extension PipelineState {
    /// A window's wish for a rendition; of two entries that come down to one rendition, each has its own.
    struct Claim: Equatable {
        let window: Int
        let urgency: Double

        init(_ window: Int, _ urgency: Double) {
            self.window = window
            self.urgency = urgency
        }
    }

    /// Which windows want a rendition, and so how urgently it is wanted: as the most urgent of them wants it.
    struct Hold {
        var claims: [Claim]
        private(set) var rank: JobRank

        init(_ claim: Claim, rank: JobRank) {
            claims = [claim]
            self.rank = rank
        }

        mutating func updateRank() {
            rank.urgency = claims.lazy.map(\.urgency).min() ?? rank.urgency
        }
    }

    mutating func hold(_ entry: WindowEntries.Entry, for window: Int) {
        let key = entry.held
        let claim = Claim(window, entry.urgency)
        if let image = cache.peek(key) { countReady(1, image.image.byteCount, in: window) }
        if holds[key] != nil {
            holds[key]!.claims.append(claim)
            updateHold(key)
            return
        }
        let rank = JobRank(
            priority: .prefetch, stage: .final, isSpeculative: true,
            isStoppable: entry.work.isStoppable(for: key.kind), urgency: entry.urgency, sequence: entry.sequence)
        holds[key] = Hold(claim, rank: rank)
        if cache.contains(key) {
            cache.move(key, to: .held)
        } else if let job = jobs[key] {
            updateRank(of: job)
        } else {
            addJob(for: key, work: entry.work, rank: rank)
        }
    }

    mutating func loosen(_ entry: WindowEntries.Entry, of window: Int) {
        let key = entry.held
        if let image = cache.peek(key) { countReady(-1, -image.image.byteCount, in: window) }
        let index = holds[key]!.claims.firstIndex(of: Claim(window, entry.urgency))!
        holds[key]!.claims.remove(at: index)
        guard holds[key]!.claims.isEmpty else { return updateHold(key) }
        holds[key] = nil
        if cache.contains(key) {
            cache.move(key, to: .loose)
        } else if let job = jobs[key] {
            updateRank(of: job)
        }
    }

    mutating func changeClaim(on key: RenditionKey, from old: Claim, to new: Claim) {
        let index = holds[key]!.claims.firstIndex(of: old)!
        holds[key]!.claims[index] = new
        updateHold(key)
    }

    /// A rendition has come into the cache, or has left it: what that is to the windows that hold it.
    mutating func noteReady(_ key: RenditionKey, isReady: Bool, byteCount: Int) {
        guard let hold = holds[key] else { return }
        for claim in hold.claims { countReady(isReady ? 1 : -1, isReady ? byteCount : -byteCount, in: claim.window) }
    }

    private mutating func countReady(_ count: Int, _ byteCount: Int, in window: Int) {
        windows[window]!.readyCount += count
        windows[window]!.readyByteCount += byteCount
    }

    private mutating func updateHold(_ key: RenditionKey) {
        let urgency = holds[key]!.rank.urgency
        holds[key]!.updateRank()
        if holds[key]!.rank.urgency != urgency, let job = jobs[key] { updateRank(of: job) }
    }
}
