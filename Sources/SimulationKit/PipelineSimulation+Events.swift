import ThumbwheelAssets
import ThumbwheelCore
import ThumbwheelFormats
import ThumbwheelPipeline
import ThumbwheelRendering
import ThumbwheelScheduling

extension PipelineSimulation {
    // MARK: Requests

    mutating func submit(_ submission: SimulatedRequest) -> String? {
        let key = SimulatedWorld.key(of: submission.picture, isEncoded: submission.isEncoded)
        if submission.asksCacheFirst, !submission.isCancelledBefore,
            let answer = driver.apply({ $0.answer(key, priority: submission.priority, at: $1) })
        {
            tally.count(.answeredByCache)
            guard !isClosed else { return "an answer of a closed pipeline" }
            screen.show(answer.shared)
            return ledger.submitted(answer.requestID, RequestLedger.Entry(submission, key: key))
                ?? ledger.received(.final(answer.shared, answer.info), for: answer.requestID)
        }
        tally.count(isClosed ? .submittedWhenClosed : submission.isCancelledBefore ? .cancelledBefore : .submitted)
        var request = PipelineRequest(
            key: key, deliveryMode: submission.mode, priority: submission.priority, urgency: submission.urgency,
            wantsPreview: submission.mode.acceptsDegraded && SimulatedWorld.hasPreview(key),
            allowsSecondDegraded: submission.allowsSecondDegraded,
            isNetworkAccessAllowed: submission.isNetworkAccessAllowed, reportsProgress: true,
            work: SimulatedWorld.work(for: key, of: driver.host),
            deadline: submission.deadlineMicroseconds.map { .microseconds($0) }, receiver: driver.host.receiver())
        request.wantsFastDegraded = submission.allowsSecondDegraded
        let (before, stopCount) = (driver.state.statistics, driver.stops.count)
        let id = driver.apply { $0.submit(request, isCancelled: submission.isCancelledBefore, at: $1) }
        if driver.stops[stopCount...].contains(where: { $0.key.subject == key.subject && $0.key.kind == key.kind }) {
            tally.count(.begunAgain)
        }
        let hasShed = noteShed(at: submission.priority, since: before)
        let isLive = driver.state.statistics.liveRequestCount == before.liveRequestCount + 1
        var entry = RequestLedger.Entry(submission, key: key)
        let lacksNetworkAccess = entry.isRemote && !submission.isNetworkAccessAllowed
        entry.isCertainlyWaiting = isLive && !hasShed && !lacksNetworkAccess
        entry.mayBeCancelled = isClosed || submission.isCancelledBefore
        entry.mustBeCancelled = submission.isCancelledBefore
        entry.mayBeShed = hasShed
        entry.deadline = request.deadline.map { driver.now.advanced(by: $0) }
        entry.mayExceedDeadline = request.deadline.map { $0 <= .zero } ?? false
        return ledger.submitted(id, entry)
    }

    mutating func refuse() {
        tally.count(.refused)
        refusedCount += 1
        _ = driver.apply { $0.refuse(at: $1) }
    }

    mutating func cancel(_ id: ImageRequestID) {
        let cancelledCount = driver.state.statistics.requests.cancelled
        driver.apply { $0.cancel(id, at: $1) }
        ledger.cancelled(id)
        tally.count(driver.state.statistics.requests.cancelled > cancelledCount ? .cancelled : .cancelledWhenOver)
    }

    mutating func cancelAll() {
        tally.count(.cancelledAll)
        ledger.cancelledAll()
        let last = driver.state.lastRequest
        var place: Int?
        repeat {
            place = driver.apply { [place] in
                $0.cancelAll(through: last, from: place, atMost: Self.pieceLength, at: $1)
            }
        } while place != nil
    }

    mutating func close(isGraceful: Bool) {
        tally.count(isGraceful ? .closedGracefully : .closed)
        isClosed = true
        if !isGraceful { ledger.cancelledAll() }
        driver.apply { state, now in
            if isGraceful { state.closeToNewRequests(at: now) } else { state.close(at: now) }
        }
    }

    mutating func move(_ id: ImageRequestID, to priority: RequestPriority, urgency: Double) {
        if let entry = ledger[id], entry.priority != priority {
            tally.count(priority < entry.priority ? .movedUp : .movedDown)
        }
        ledger.moved(id, to: priority)
        let before = driver.state.statistics
        driver.apply { $0.setPriority(priority, urgency: urgency, of: id, at: $1) }
        _ = noteShed(at: priority, since: before)
    }

    /// Some requests of a priority may have been made to end, or a new one turned away.
    private mutating func noteShed(at priority: RequestPriority, since before: PipelineStatistics) -> Bool {
        let shedCount = driver.state.statistics.requests.shed - before.requests.shed
        guard shedCount > 0 else { return false }
        if setup.queue.limits.overflow == .shedsOldest {
            tally.count(.shed, shedCount)
            if setup.queue.isShortOfMemory {
                for lower in RequestPriority.allCases where lower >= priority { ledger.shed(at: lower) }
            } else if priority != .userInitiated {
                ledger.shed(at: priority)
            }
        } else {
            tally.count(.rejected, shedCount)
        }
        return true
    }

    mutating func drain(_ id: ImageRequestID) -> String? {
        guard driver.drains.contains(id) else { return nil }
        let results = driver.drain(id)
        if results.isEmpty { tally.count(.drainedInVain) }
        for result in results {
            if let image = result.image { screen.show(image) }
            switch result {
            case .progress: tally.count(.progressResult)
            case .degraded: tally.count(ledger[id]?.degradedCount == 0 ? .degradedResult : .secondDegradedResult)
            case .final(let shared, _): tally.count(shared.facts.isPartial ? .partialResult : .finalResult)
            case .failed(.networkAccessRequired, _): tally.count(.networkRefused)
            case .failed(.deadlineExceeded, _): tally.count(.deadlineExceeded)
            case .failed: tally.count(.failedResult)
            case .cancelled: tally.count(.cancelledResult)
            }
            if let broken = ledger.received(result, for: id) { return broken }
        }
        return nil
    }

    // MARK: Time

    mutating func wake() {
        tally.count(.woken)
        // Where a deadline has come as well, either may have been the first.
        for job in driver.runningJobs where isOverdue(job) {
            rendered(job, hasFailed: true)
            if !job.token.isCancelled { tally.count(.timeLimitExceeded) }
        }
        ledger.lookUpsMayHang()
        ledger.timePassed(at: driver.now)
        let stopCount = driver.claiming.count { $0.token.isCancelled }
        driver.fire()
        let newCount = driver.claiming.count { $0.token.isCancelled }
        if newCount > stopCount { tally.count(.claimImpatient, newCount - stopCount) }
        if driver.lookingUp.contains(where: { driver.state.hasTimedOut($0.id) }) { tally.count(.lookUpHung) }
    }

    private func isOverdue(_ job: RenderAssignment) -> Bool {
        driver.startTimes[job.worker].advanced(by: SimulatedWorld.renderTimeLimit) <= driver.now
    }

    // MARK: Renders

    mutating func finish(_ worker: Int, _ ending: SimulatedEnding) {
        guard driver.running.indices.contains(worker), let job = driver.running[worker] else { return }
        let isCancelled = job.token.isCancelled
        let outcome: RenderOutcome
        switch ending {
        case .image:
            tally.count(isCancelled ? .finishedDespiteStop : .finished)
            rendered(job, hasFailed: false)
            outcome =
                job.packingTier.map { .image(SimulatedWorld.packed(job.input!.shared.facts, for: $0)) }
                ?? .ended(job.keys.map { .success(SimulatedWorld.image(for: $0)) })
        case .failure:
            tally.count(isCancelled ? .failedDespiteStop : .failed)
            rendered(job, hasFailed: true)
            outcome = .failed(.rendering(job.key.kind == .preview ? .noPreview : .source(.notFound(path: ""))))
        case .truncation:
            tally.count(.truncated)
            rendered(job, hasFailed: true)
            outcome = .failed(.rendering(.truncated(decodedFraction: 0.5)))
        case .stop:
            tally.count(isCancelled ? .stopped : .stoppedUnasked)
            if isOverdue(job) { rendered(job, hasFailed: true) }
            outcome = .stopped
        }
        driver.finish(worker: worker, with: consume outcome)
    }

    private mutating func rendered(_ job: RenderAssignment, hasFailed: Bool) {
        for key in job.keys { ledger.rendered(key, hasFailed: hasFailed) }
    }

    // MARK: Fetches

    mutating func progressFetch(of asset: Int, to fraction: Double) {
        guard let fetch = fetch(of: asset) else { return }
        tally.count(.fetchProgressed)
        driver.apply { state, _ in state.progressFetch(fetch.id, to: fraction) }
    }

    mutating func finishFetch(of asset: Int, _ ending: SimulatedFetchEnding) {
        guard let fetch = fetch(of: asset) else { return }
        let outcome: FetchOutcome
        switch ending {
        case .bytes:
            tally.count(fetch.token.isCancelled ? .fetchedDespiteStop : .fetched)
            outcome = .bytes(FetchedBytes(source: MemoryByteSource([]), byteCount: SimulatedWorld.remoteByteCount))
        case .failure:
            tally.count(.fetchFailed)
            ledger.failedToFetch(fetch.subject)
            outcome = .failed(.network(.timedOut))
        case .stop:
            // A fetch stops only where it is told to.
            guard fetch.token.isCancelled else { return }
            tally.count(.fetchStopped)
            outcome = .stopped
        }
        driver.finishFetch(fetch, with: outcome)
    }

    // MARK: Tiers below memory

    /// Has a fault of a tier begin or, for nil, end.
    mutating func fail(_ tier: StorageTier, _ fault: SimulatedTierFault?) {
        guard setup.tiers.contains(tier) else { return }
        tierFaults[tier] = fault.flatMap { $0.lasts ? $0 : nil }
        driver.setTakesNothing(fault?.takesNothing ?? false, tier)
        if let fault { tally.count(.valueLost, driver.loseValues(of: tier) { !fault.spares($0) }) }
        tally.count(.beginning(of: fault))
    }

    mutating func finishLookUp(of asset: Int, _ expected: SimulatedLookUpEnding) {
        guard let lookUp = driver.lookingUp.first(where: { SimulatedWorld.asset(of: $0.key.subject) == asset }) else {
            return
        }
        let key = lookUp.key
        let ending = tierFaults[lookUp.tier]?.ending(of: lookUp.tier, insteadOf: expected) ?? expected
        if ending == .refusal, SimulatedWorld.isDamaged(key) {
            tally.count(.lookUpRefused)
            ledger.rendered(key, hasFailed: true)
            return driver.finishLookUp(lookUp, with: .refused(.rendering(.truncated(decodedFraction: 0.5))))
        }
        if ending == .unavailable {
            tally.count(.lookUpUnanswered)
            ledger.lookedUp(key)
            return driver.finishLookUp(lookUp, with: .unavailable)
        }
        guard ending == .answer, driver.kept[lookUp.tier, default: []].contains(key) else {
            tally.count(.lookedUpInVain)
            // A request that may not use the network ends now if it needs it.
            ledger.lookedUp(key)
            return driver.finishLookUp(lookUp, with: .missing)
        }
        tally.count(lookUp.tier == .shared ? .foundShared : .foundBelow)
        ledger.rendered(key, hasFailed: false)
        driver.finishLookUp(lookUp, with: .found(SimulatedWorld.image(for: key)))
    }

    mutating func finishClaim(of asset: Int, _ expected: SimulatedClaimEnding) {
        guard let claim = driver.claiming.first(where: { SimulatedWorld.asset(of: $0.key.subject) == asset }) else {
            return
        }
        let key = claim.key
        let ending = tierFaults[.shared]?.ending(insteadOf: expected) ?? expected
        if claim.token.isCancelled { tally.count(.claimStopped) }
        switch ending {
        case .refusal where SimulatedWorld.isDamaged(key):
            tally.count(.claimRefused)
            ledger.rendered(key, hasFailed: true)
            driver.finishClaim(claim, with: .refused(.rendering(.truncated(decodedFraction: 0.5))))
        // A partial image is in no store.
        case .found where !SimulatedWorld.isDamaged(key):
            tally.count(.claimFound)
            ledger.rendered(key, hasFailed: false)
            driver.finishClaim(claim, with: .found(SimulatedWorld.image(for: key)))
        case .won:
            tally.count(.claimWon)
            ledger.lookedUp(key)
            driver.finishClaim(claim, with: .won)
        case .found, .refusal, .unavailable:
            tally.count(.claimUnanswered)
            ledger.lookedUp(key)
            driver.finishClaim(claim, with: .unavailable)
        }
    }

    private func fetch(of asset: Int) -> FetchAssignment? {
        driver.fetching.first { SimulatedWorld.asset(of: $0.subject) == asset }
    }
}
