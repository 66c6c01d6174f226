import ThumbwheelCore
import ThumbwheelScheduling

// MARK: What becomes of renders

extension PipelineState {
    /// A worker reports how its job ended.
    ///
    /// - Parameter peakByteCount: the memory that the render took at most, output and all; nil where nobody knows.
    package mutating func finish(
        _ id: JobID, with outcome: RenderOutcome, peakByteCount: Int? = nil, at now: MonotonicTime
    ) {
        if packing?.id == id {
            finishPacking(with: outcome)
            dispatch(at: now)
            return
        }
        guard jobs.contains(id), case let job = jobs[id], let run = job.run else {
            preconditionFailure("a job finished that does not run")
        }
        jobs[id].run = nil
        budget.release(run.reservation)
        if let input = run.input { endReading(input) }
        alarms.remove(run.alarm)
        switch outcome {
        case .ended(let results):
            if let peakByteCount, run.input == nil {
                correctPrediction(for: job, run, with: results, measured: peakByteCount)
            }
            end(run, of: job, with: results, at: now)
        case .failed(let error): fail(run, of: job, because: error, at: now)
        case .stopped where run.isOverdue: fail(run, of: job, because: .timeLimitExceeded, at: now)
        case .stopped: stopped(run, of: job, at: now)
        }
        dispatch(at: now)
    }

    private mutating func end(
        _ run: Job.Run, of job: Job, with results: [Result<PipelineImage, ImageRequestError>], at now: MonotonicTime
    ) {
        precondition(results.count == 1 + run.companions.count, "a render for \(results.count) renditions")
        counts.renders.finished += 1
        counts.renders.shared += run.companions.count
        let isResampled = run.input?.box != nil
        let isUnpacked = run.input?.isPacked ?? false
        if isResampled { counts.renders.resampled += 1 }
        if isUnpacked { counts.cache.unpacked += 1 }
        note(.renderEnded(number: run.renderNumber, worker: run.worker, .finished))
        record(run, of: job.key, at: now, end: .finished)
        for (id, result) in zip([job.id] + run.companions, results) {
            let job = jobs[id]
            let fetch = fetch(for: job)
            retire(job)
            switch result {
            case .success(var image):
                image.isOfLargerDecode =
                    run.decode.map {
                        $0.eighths != job.work.decodeEighths || $0.hasFineChroma != hasFineChroma(job.key, job.work)
                    } ?? run.input.map {
                        isResampled || $0.key != job.key.unencoded || $0.shared.image.isOfLargerDecode
                    } ?? false
                if isResampled { image.source = .cache }
                // A decoder may have found the image to be of another size than its head tells.
                let isAsPredicted = job.key.kind != .preview && image.pixelSize == job.work.geometry?.outputSize
                image.geometry = isAsPredicted ? job.work.geometry : nil
                image.renderNumber = run.renderNumber
                image.renderMilliseconds = now.milliseconds(since: run.start)
                if let fetch {
                    image.isFromNetwork = true
                    image.networkMilliseconds = fetch.milliseconds
                }
                let shared = SharedImage(image, of: job.key.subject.asset)
                keep(shared, for: job)
                deliver(shared, of: job, fromCache: isUnpacked, at: now)
            case .failure(let error):
                for subscriber in job.subscribers.inOrder { fail(error, job: job, for: subscriber, at: now) }
            }
        }
        release(run.latecomers)
    }

    private mutating func fail(
        _ run: Job.Run, of job: Job, because error: ImageRequestError, at now: MonotonicTime
    ) {
        counts.renders.failed += 1
        note(.renderEnded(number: run.renderNumber, worker: run.worker, .failed))
        record(run, of: job.key, at: now, end: .failed)
        for id in [job.id] + run.companions {
            let job = jobs[id]
            retire(job)
            for subscriber in job.subscribers.inOrder { fail(error, job: job, for: subscriber, at: now) }
        }
        release(run.latecomers)
    }

    /// Preempted, begins again for one more, is wanted again since it was told to stop, or not wanted at all.
    private mutating func stopped(_ run: Job.Run, of job: Job, at now: MonotonicTime) {
        record(run, of: job.key, at: now, end: .stopped)
        let isWanted = rank(ofAll: [job.id] + run.members) != nil
        if isWanted { counts.renders.preempted += 1 } else { counts.renders.stopped += 1 }
        note(.renderEnded(number: run.renderNumber, worker: run.worker, isWanted ? .preempted : .stopped))
        if rank(of: job) == nil {
            retire(job)
        } else {
            scheduler.requeue(job.id)
            updateRank(of: job.id)
        }
        release(run.members, countingRestartOf: run.latecomers.isEmpty ? nil : job)
    }

    /// A subscriber's job has failed: without a degraded image it goes on; a damaged file whose full rendering was only
    /// one of the things it would take is rendered as far as it goes; anything else ends it.
    mutating func fail(
        _ error: ImageRequestError, job: Job, for id: ImageRequestID, at now: MonotonicTime
    ) {
        guard let request = requests[id], !request.hasEnded else { return }
        guard request.finalJob == job.id else {
            requests.change(id) { $0.degradedJob = nil }
            endOutOfReach(id, of: job.compactKey.asset)
            return
        }
        requests.change(id) { $0.finalJob = nil }
        if request.deliveryMode == .opportunistic, job.key.kind == .high, error.leavesPartialImage {
            let key = job.key.with(.fast)
            if let image = cache.value(forKey: key) {
                deliverFinal(image, to: id, fromCache: true, at: now)
            } else if !request.isNetworkAccessAllowed, needsNetwork(for: key, job.work) {
                deliverFailure(.networkAccessRequired, to: id, of: job.compactKey.asset)
            } else {
                let next = subscribe(id, to: key, work: job.work)
                requests.change(id) { $0.finalJob = next }
            }
        } else {
            deliverFailure(error, to: id, of: job.compactKey.asset)
        }
    }

    /// The bytes of a parked job cannot be had.
    mutating func failWaiting(_ id: JobID, _ error: ImageRequestError, at now: MonotonicTime) {
        let job = jobs[id]
        scheduler.removeQueued(id)
        forget(job)
        for subscriber in job.subscribers.inOrder { fail(error, job: job, for: subscriber, at: now) }
    }

    /// Forgets a job whose worker is done with it.
    private mutating func retire(_ job: Job) {
        if job.lead == nil { scheduler.finish(job.id) } else { scheduler.removeQueued(job.id) }
        forget(job)
    }

    mutating func forget(_ job: Job) {
        emit(.releaseWork(job.work))
        jobs.remove(job.id)
        leaveFetch(job)
    }
}

extension ImageRequestError {
    /// Whether a part of the image could be shown all the same.
    fileprivate var leavesPartialImage: Bool {
        switch self {
        case .rendering(.truncated), .rendering(.malformed): true
        default: false
        }
    }
}
