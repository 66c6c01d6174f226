import Thumbwheel

// MARK: What may happen

extension PipelineSimulation {
    /// Has one random event happen.
    ///
    /// - Returns: what is wrong with its outcome.
    mutating func step() -> String? {
        if random.index(below: 4) > 0 {
            driver.now = driver.now.advanced(byMilliseconds: random.unit() * 5)
            tally.count(.clockMoved)
        }
        // Timers are late at times.
        if let wake = driver.wake, wake <= driver.now, random.index(below: 4) > 0 {
            fire()
            return nil
        }
        switch random.index(below: 1000) {
        case ..<280: return submit()
        case ..<450: finishAny()
        case ..<480: moveAnyFetch()
        case ..<560: cancelAny()
        case ..<640: moveAny()
        case ..<840:
            guard !driver.drains.isEmpty else { return nil }
            return drain(driver.drains[random.index(below: driver.drains.count)])
        case ..<910: startCaching()
        case ..<945: stopCaching()
        case ..<955: stopAll()
        case ..<975: switchQuality()
        case ..<982: openWindow()
        case ..<988: if !windows.isEmpty { closeWindow(at: random.index(below: windows.count)) }
        case ..<997: changeBudget()
        case ..<999: cancelAll()
        default: if random.index(below: 4) == 0 { close(isGraceful: random.index(below: 2) == 0) }
        }
        return nil
    }

    // MARK: Requests

    private mutating func submit() -> String? {
        tally.count(.submitted)
        let mode: DeliveryMode = [.opportunistic, .opportunistic, .highQuality, .fast][random.index(below: 4)]
        let key = world.key(somePicture(), kind: mode == .fast ? .fast : .high)
        let priority = somePriority()
        let allowsNetwork = random.index(below: 3) > 0
        let request = PipelineRequest(
            key: key, deliveryMode: mode, priority: priority, urgency: someUrgency(),
            wantsPreview: mode == .opportunistic && world.hasPreview(key), isNetworkAccessAllowed: allowsNetwork,
            reportsProgress: true, work: world.work(for: key), deadline: someDeadline(), receiver: nil)
        let liveCount = driver.state.statistics.liveRequestCount
        let shedCount = driver.state.statistics.requests.shed
        let id = driver.apply { $0.submit(request, at: $1) }
        let hasShed = noteShed(at: priority, since: shedCount)
        var entry = RequestLedger.Entry(
            key: key, mode: mode, priority: priority,
            isCertainlyWaiting: !hasShed && driver.state.statistics.liveRequestCount == liveCount + 1)
        entry.mayBeShed = hasShed
        entry.mayBeCancelled = isClosed
        entry.deadline = request.deadline.map { driver.now.advanced(by: $0) }
        entry.mayExceedDeadline = request.deadline.map { $0 <= .zero } ?? false
        entry.isRemote = world.isRemote(key)
        entry.isNetworkAccessAllowed = allowsNetwork
        if entry.isRemote, !allowsNetwork { entry.isCertainlyWaiting = false }
        return ledger.submitted(id, entry)
    }

    private mutating func cancelAny() {
        guard let id = someRequest() else { return }
        let cancelledCount = driver.state.statistics.requests.cancelled
        driver.apply { $0.cancel(id, at: $1) }
        ledger.cancelled(id)
        tally.count(driver.state.statistics.requests.cancelled > cancelledCount ? .cancelled : .cancelledWhenOver)
    }

    private mutating func moveAny() {
        guard let id = someRequest() else { return }
        tally.count(.moved)
        let priority = somePriority()
        let urgency = someUrgency()
        ledger.moved(id, to: priority)
        let shedCount = driver.state.statistics.requests.shed
        driver.apply { $0.setPriority(priority, urgency: urgency, of: id, at: $1) }
        _ = noteShed(at: priority, since: shedCount)
    }

    /// Some requests of a priority may have been made to end, or a new one turned away.
    private mutating func noteShed(at priority: RequestPriority, since count: Int) -> Bool {
        let newCount = driver.state.statistics.requests.shed - count
        guard newCount > 0 else { return false }
        if queueLimits.overflow == .shedsOldest {
            tally.count(.shed, newCount)
            if priority != .userInitiated { ledger.shed(at: priority) }
        } else {
            tally.count(.rejected, newCount)
        }
        return true
    }

    /// Mostly one that is open; now and then one that is over or was never made.
    private mutating func someRequest() -> ImageRequestID? {
        if random.index(below: 8) == 0 {
            return ImageRequestID(rawValue: UInt64(random.index(below: ledger.entries.count + 2)))
        }
        return ledger.open.isEmpty ? nil : ledger.open[random.index(below: ledger.open.count)]
    }

    mutating func drain(_ id: ImageRequestID) -> String? {
        tally.count(.drained)
        for result in driver.drain(id) {
            switch result {
            case .progress: tally.count(.progressResult)
            case .degraded: tally.count(.degradedResult)
            case .final(let image, _): tally.count(image.isPartial ? .partialResult : .finalResult)
            case .failed(.deadlineExceeded, _): tally.count(.deadlineExceeded)
            case .failed(.networkAccessRequired, _): tally.count(.networkRefused)
            case .failed: tally.count(.failedResult)
            case .cancelled: tally.count(.cancelledResult)
            }
            if let fault = ledger.received(result, for: id) { return fault }
        }
        return nil
    }

    private mutating func cancelAll() {
        tally.count(.cancelledAll)
        ledger.cancelledAll()
        driver.apply { $0.cancelAll(at: $1) }
    }

    private mutating func close(isGraceful: Bool) {
        tally.count(isGraceful ? .closedGracefully : .closed)
        isClosed = true
        if !isGraceful { ledger.cancelledAll() }
        driver.apply { isGraceful ? $0.closeToNewRequests(at: $1) : $0.close(at: $1) }
    }

    // MARK: Time

    private mutating func fire() {
        tally.count(.woken)
        // First, for of two alarms that have come either may be the earlier.
        for assignment in driver.runningJobs where isOverdue(assignment) {
            ledger.rendered(assignment.key, hasFailed: true)
            if !assignment.token.isCancelled { tally.count(.timeLimitExceeded) }
        }
        ledger.timePassed(at: driver.now)
        driver.fire()
    }

    private func isOverdue(_ assignment: RenderAssignment) -> Bool {
        driver.startTimes[assignment.worker].advanced(by: SimulatedWorld.renderTimeLimit) <= driver.now
    }

    /// Of one request in eight; of some, before they are made.
    private mutating func someDeadline() -> Duration? {
        guard random.index(below: 8) == 0 else { return nil }
        return .microseconds(random.index(below: 80_000) - 2000)
    }

    // MARK: Jobs

    private mutating func finishAny() {
        let running = driver.runningJobs
        guard !running.isEmpty else { return }
        finish(running[random.index(below: running.count)], isSettling: false)
    }

    /// Has a job end in some way: those told to stop mostly do, some are over before they notice.
    mutating func finish(_ assignment: RenderAssignment, isSettling: Bool) {
        let key = assignment.key
        let outcome: RenderOutcome
        let luck = random.index(below: 100)
        if assignment.token.isCancelled, luck < 70 {
            tally.count(.stopped)
            outcome = .stopped
        } else if !isSettling, luck < 2 {
            tally.count(.stoppedUnasked)
            outcome = .stopped
        } else if world.isDamaged(key), key.kind == .high {
            tally.count(.truncated)
            outcome = .failed(.rendering(.truncated(decodedFraction: 0.5)))
        } else if luck < 12 {
            tally.count(.failed)
            outcome = .failed(key.kind == .preview ? .rendering(.noPreview) : .rendering(.source(.notFound(path: ""))))
        } else {
            tally.count(assignment.token.isCancelled ? .finishedDespiteStop : .finished)
            outcome = .image(world.image(for: key))
        }
        switch outcome {
        case .image: ledger.rendered(key, hasFailed: false)
        case .failed: ledger.rendered(key, hasFailed: true)
        case .stopped: if isOverdue(assignment) { ledger.rendered(key, hasFailed: true) }
        }
        driver.finish(worker: assignment.worker, with: outcome)
    }

    // MARK: The network

    private mutating func moveAnyFetch() {
        let fetching = driver.fetching
        guard !fetching.isEmpty else { return }
        let assignment = fetching[random.index(below: fetching.count)]
        if random.index(below: 3) > 0 {
            tally.count(.fetchProgressed)
            let fraction = random.unit()
            driver.apply { state, _ in state.progressFetch(assignment.id, to: fraction) }
        } else {
            finish(assignment)
        }
    }

    /// Has a fetch end in some way: those told to stop mostly do, some are over before they notice.
    mutating func finish(_ assignment: FetchAssignment) {
        let luck = random.index(below: 100)
        let outcome: FetchOutcome
        if assignment.token.isCancelled, luck < 70 {
            tally.count(.fetchStopped)
            outcome = .stopped
        } else if luck < 20 {
            tally.count(.fetchFailed)
            ledger.failedToFetch(assignment.subject)
            outcome = .failed(.network(.timedOut))
        } else {
            tally.count(assignment.token.isCancelled ? .fetchedDespiteStop : .fetched)
            outcome = .bytes(FetchedBytes(source: nil, byteCount: SimulatedWorld.remoteByteCount))
        }
        driver.finishFetch(assignment, with: outcome)
    }

    // MARK: Choices

    func somePicture(_ random: inout SeededGenerator) -> SimulatedWorld.Picture {
        SimulatedWorld.Picture(
            asset: random.index(below: SimulatedWorld.assetCount),
            side: SimulatedWorld.sides[random.index(below: SimulatedWorld.sides.count)],
            isCropped: random.index(below: 8) == 0)
    }

    private mutating func somePicture() -> SimulatedWorld.Picture { somePicture(&random) }

    private mutating func somePriority() -> RequestPriority {
        let number = random.index(below: 20)
        return number < 12 ? .userInitiated : number < 17 ? .prefetch : .background
    }

    private mutating func someUrgency() -> Double {
        let number = random.index(below: 40)
        return number == 0 ? .nan : number == 1 ? .infinity : Double(number / 8)
    }
}
