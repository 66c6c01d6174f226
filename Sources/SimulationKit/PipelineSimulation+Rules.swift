import ThumbwheelCore
import ThumbwheelPipeline
import ThumbwheelRendering
import ThumbwheelScheduling

// MARK: What must hold after an event

extension PipelineSimulation {
    /// More renders and fetches than any history leaves to be done.
    private static let mostEndings = 2000
    /// The most wakes until the memory must be noticed. The first may be for an alarm that no longer counts.
    private static let mostWakes = 3

    mutating func brokenRule(since startCount: Int) -> String? {
        if let violation = driver.violations.first { return violation }
        let statistics = driver.state.statistics
        let running = driver.runningJobs
        guard statistics.runningRenderCount == running.count else { return "the count of running jobs is wrong" }
        let requests = statistics.requests
        guard requests.submitted == ledger.entries.count + refusedCount else { return "submissions miscounted" }
        if let broken = rules.brokenRule(statistics, of: driver, onScreen: screen.byteCount) { return broken }
        if let broken = driver.starts[startCount...].lazy.compactMap(Self.brokenRule(ofInputOf:)).first {
            return broken
        }
        if driver.starts.count > startCount, statistics.budgetUsedByteCount > rules.budget {
            tally.count(.ranBeyondBudget)
        }
        if statistics.cachedByteCount > rules.budget { tally.count(.keptBeyondBudget) }
        return brokenRuleOfOrder(driver.starts[startCount...], running: running)
    }

    /// Pixels are resampled from a better rendition of the same picture or not at all (Semantics.md, "Cache hits").
    private static func brokenRule(ofInputOf job: RenderAssignment) -> String? {
        guard let input = job.input, let box = input.box else { return nil }
        let side = Double(job.key.options.targetSize.width)
        guard job.key.encoding == nil, job.companions.isEmpty else {
            return "a file of pixels that it does not promise"
        }
        guard input.key.subject == job.key.subject, input.key.kind.rawValue >= job.key.kind.rawValue else {
            return "made of a rendition that is less"
        }
        guard box.width >= side * (job.key.kind == .high ? 2 : 1) else { return "made of too few pixels" }
        return input.shared.facts.source == .cache ? "resampled twice" : nil
    }

    /// Work that no visible request profits from neither starts, nor runs on as if there were enough workers, while a
    /// visible request's rendition waits to be made.
    private func brokenRuleOfOrder(_ starts: ArraySlice<RenderAssignment>, running: [RenderAssignment]) -> String? {
        let unstoppableRoom =
            max(1, setup.workerCount - 1) - running.count { !$0.mayMakeWay }
        guard unstoppableRoom >= 0 else { return "too many jobs run that cannot be stopped" }
        let invisible = running.filter { !ledger.hasOpenRequest(for: $0.key.subject, at: .userInitiated) }
        guard !invisible.isEmpty else { return nil }
        let waiting = ledger.renditionsAwaited(at: .userInitiated).subtracting(running.flatMap(\.keys)).filter { key in
            // What is looked up in a tier below memory waits for no worker yet.
            guard !driver.state.isLookingUp(key) else { return false }
            // What is decoded already may be about to begin again for one more, on the worker that it has.
            return !running.contains {
                $0.token.isCancelled && $0.key.subject == key.subject && $0.key.kind == key.kind
            }
        }
        // Of those that cannot be stopped, only so many have a right to a worker.
        let stoppableCount = waiting.count { SimulatedWorld.isStoppable($0) }
        let waitingCount = stoppableCount + min(unstoppableRoom, waiting.count - stoppableCount)
        guard waitingCount > 0 else { return nil }
        if starts.contains(where: { start in invisible.contains { $0.token === start.token } }) {
            return "a prefetch started in front of a visible request"
        }
        // Each job that makes way gives its worker to one that waits; where a worker is idle it is memory that lacks, and
        // what one gives back may be enough.
        guard invisible.contains(where: { $0.mayMakeWay && !$0.token.isCancelled }) else { return nil }
        let stoppingCount = running.count { $0.mayMakeWay && $0.token.isCancelled }
        return stoppingCount >= (running.count < setup.workerCount ? 1 : waitingCount)
            ? nil : "a visible request waits while a prefetch could make way"
    }

    // MARK: The end of a history

    /// Lets all work come to an end.
    ///
    /// - Returns: what is left that should not be.
    mutating func settle() -> String? {
        if let broken = finishAll() ?? drainAll() { return broken }
        // With the windows still there: what they hold must not keep a request from its end.
        guard ledger.open.isEmpty else { return "a request never ends" }
        guard driver.state.statistics.liveRequestCount == 0 else { return "a live request without a caller" }
        if let broken = letGoOfImages() { return broken }
        for window in windows { closeWindow(window.number) }
        if let broken = finishAll() { return broken }
        letPipelineLook()
        // What nobody shows any more may be packed.
        if let broken = finishAll() { return broken }
        let statistics = driver.state.statistics
        guard statistics.queuedRenderCount == 0 else { return "jobs that nobody wants" }
        guard statistics.queuedFetchCount == 0 else { return "fetches that nobody wants" }
        guard statistics.budgetUsedByteCount == statistics.cachedByteCount + statistics.packedByteCount else {
            return "a reservation leaked"
        }
        guard statistics.cachedByteCount <= rules.budget else { return "the cache exceeds the budget" }
        guard driver.isIdle == isClosed else { return "closed and never idle, or idle though open" }
        guard setup.keepsRenditions || statistics.cachedByteCount + statistics.packedByteCount == 0 else {
            return "kept what was not to be kept"
        }
        let requests = statistics.requests
        guard ledger.endedCount == ledger.entries.count,
            requests.delivered + requests.failed + requests.cancelled + requests.shed == ledger.endedCount
                + refusedCount
        else { return "the counts do not add up" }
        guard driver.heldClaims.isEmpty else { return "a claim that nobody ends" }
        tally.endHistory(driver)
        return driver.violations.first
    }

    /// Lets receivers release all their images. No event reports that, so the pipeline must notice as time passes.
    private mutating func letGoOfImages() -> String? {
        screen.clear()
        for _ in 0..<Self.mostWakes {
            guard let wake = driver.wake else { break }
            driver.now = max(driver.now, wake)
            driver.fire()
            if let broken = finishAll() { return broken }
        }
        func startCount() -> Int { driver.starts.count { !$0.isPacking } + driver.fetches.count }
        let count = startCount()
        letPipelineLook()
        if let broken = finishAll() { return broken }
        return startCount() > count ? "something waits for memory that nobody holds" : nil
    }

    /// Has all fetches and renders end, those that are damaged and those told to stop as they should.
    private mutating func finishAll() -> String? {
        for _ in 0..<Self.mostEndings {
            let startCount = driver.starts.count
            // Renders first: what they give back is what fetches, and what these bring, may wait for.
            if let job = driver.runningJobs.first {
                let isTruncated = SimulatedWorld.isDamaged(job.key) && job.key.kind == .high
                finish(job.worker, job.token.isCancelled ? .stop : isTruncated ? .truncation : .image)
            } else if !driver.abandoned.isEmpty {
                driver.finishAbandoned(0)
            } else if let lookUp = driver.lookingUp.first {
                finishLookUp(of: SimulatedWorld.asset(of: lookUp.key.subject), .answer)
            } else if let claim = driver.claiming.first {
                finishClaim(of: SimulatedWorld.asset(of: claim.key.subject), .won)
            } else if let fetch = driver.fetching.first {
                finishFetch(of: SimulatedWorld.asset(of: fetch.subject), fetch.token.isCancelled ? .stop : .bytes)
            } else {
                return nil
            }
            if let broken = brokenRule(since: startCount) { return broken }
        }
        return "work without end"
    }

    private mutating func drainAll() -> String? {
        while let id = driver.drains.first {
            if let broken = drain(id) { return broken }
        }
        return nil
    }
}

extension RenderAssignment {
    /// What cannot be stopped would free its worker no sooner.
    fileprivate var mayMakeWay: Bool { isPacking || SimulatedWorld.isStoppable(key) }
}
