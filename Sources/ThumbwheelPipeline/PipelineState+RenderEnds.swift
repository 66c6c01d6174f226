import ThumbwheelCore
import ThumbwheelRendering
import ThumbwheelScheduling

// MARK: The end of renders

extension PipelineState {
    /// Handles the end of a job on its worker.
    ///
    /// - Parameters:
    ///   - outcome: the images that the job has made, or the reason why it made none. The caller must not hold a copy,
    ///     because the pixels in the copy could not be evicted.
    ///   - peakByteCount: the most memory that the render took at once, in bytes and including its output; nil if
    ///     unknown.
    package mutating func finish(
        _ id: JobID, with outcome: consuming RenderOutcome, peakByteCount: Int? = nil, at now: MonotonicTime
    ) {
        defer { dispatch(at: now) }
        if let packing = renders.endPacking(id) { return finish(packing, with: consume outcome) }
        guard let run = renders.endRun(of: id) else { preconditionFailure("a job finished that does not run") }
        let job = renders[id]
        store.release(run.reservation)
        if let input = run.source.input { store.endReading(input) }
        alarms.remove(run.alarm)
        switch consume outcome {
        case .ended(let results):
            if let peakByteCount, run.source.input == nil {
                renders.correctPrediction(for: job, run, with: results, measured: peakByteCount)
            }
            end(run, of: job, with: consume results, at: now)
        case .failed(let error): fail(run, of: job, because: error, at: now)
        case .notSmaller: preconditionFailure("a render is no packing")
        case .lackingBytes: fetchWhole(run, of: job, at: now)
        case .stopped: stopped(run, of: job, at: now)
        }
    }

    private mutating func end(
        _ run: Job.Run, of job: Job, with results: consuming [Result<PipelineImage, ImageRequestError>],
        at now: MonotonicTime
    ) {
        precondition(results.count == 1 + run.companions.count, "a render for \(results.count) renditions")
        accounts.renderEnded(run, of: job.assetIdentifier, .finished, at: now)
        for index in results.indices {
            let result = results[index]
            // Removes this image from `results`. Otherwise `results` would hold the pixels, and they could not be
            // evicted when the next image needs room.
            if results.count > 1 { results[index] = .failure(.cancelled) }
            let job = renders[index == 0 ? job.id : run.companions[index - 1]]
            let fetch = job.readsRemoteBytes ? fetches[job.filePart] : nil
            // Takes the claim from the job, because `retire` would otherwise end the claim now. It must not end before
            // the rendition has been passed to the shared store: other servers would then make the same rendition.
            let claim = claims.takeWon(of: job.id)
            retire(job)
            switch result {
            case .success(let image):
                let shared = SharedImage(
                    describe(image, of: job, madeBy: run, bytesFrom: fetch, at: now), of: job.assetIdentifier)
                cache(shared, for: job)
                tellTiers(of: shared, for: job, claim: claim)
                deliver(shared, of: job, fromCache: run.source.isPacked, at: now)
            case .failure(let error):
                note(error, for: job, claim: claim)
                for subscriber in job.subscribers.inOrder { fail(error, job: job, for: subscriber, at: now) }
            }
        }
        requeueMembers(run.latecomers)
    }

    /// Adds the facts about an image that its renderer does not know, such as the render's number and duration.
    private func describe(
        _ image: PipelineImage, of job: Job, madeBy run: Job.Run, bytesFrom fetch: Fetch?, at now: MonotonicTime
    ) -> PipelineImage {
        var facts = image.facts
        let mayDifferFromOwnDecode =
            run.decode.map { $0.eighths != job.decodeEighths || $0.hasFineChroma != job.hasFineChroma }
            ?? run.source.input.map {
                run.source.isResampled || $0.key != job.key.unencoded || $0.shared.facts.mayDifferFromOwnDecode
            }
        facts.mayDifferFromOwnDecode = mayDifferFromOwnDecode ?? false
        if run.source.isResampled { facts.source = .cache }
        // The geometry was predicted from the file's header. It holds for the image only if the image has the predicted
        // size, because the decoder may have found another size than the header states. For previews, no geometry is
        // predicted.
        let isAsPredicted = job.kind != .preview && facts.pixelSize == job.work.geometry?.outputSize
        facts.geometry = isAsPredicted ? job.work.geometry : nil
        facts.renderNumber = run.renderNumber
        facts.renderMilliseconds = now.milliseconds(since: run.start)
        if let fetch {
            facts.isFromNetwork = true
            facts.networkMilliseconds = fetch.milliseconds
        }
        return PipelineImage(image.contents, facts)
    }

    private mutating func fail(
        _ run: Job.Run, of job: Job, because error: ImageRequestError, at now: MonotonicTime
    ) {
        accounts.renderEnded(run, of: job.assetIdentifier, .failed, at: now)
        for id in [job.id] + run.companions {
            let job = renders[id]
            giveUp(job, because: error)
            for subscriber in job.subscribers.inOrder { fail(error, job: job, for: subscriber, at: now) }
        }
        requeueMembers(run.latecomers)
    }

    /// Ends a job whose render has failed, and notes why. The caller fails its requests.
    private mutating func giveUp(_ job: Job, because error: ImageRequestError) {
        let claim = claims.takeWon(of: job.id)
        retire(job)
        note(error, for: job, claim: claim)
    }

    /// Handles an overdue run that has stopped, or was abandoned. It counts as failed, and the requests that waited for
    /// it when its time limit passed have failed already. Requests that have joined since wait for a run of their own,
    /// with the whole time. A job that only caching managers want ends, because it would exceed the limit again.
    private mutating func endOverdue(_ run: Job.Run, of job: Job, at now: MonotonicTime) {
        accounts.renderEnded(run, of: job.assetIdentifier, .failed, at: now)
        for id in [job.id] + run.companions {
            let part = renders[id]
            if part.subscribers.isEmpty {
                giveUp(part, because: .timeLimitExceeded)
            } else if id == job.id {
                renders.requeue(id)
                updateRank(of: id)
            } else {
                requeueMembers([id])
            }
        }
    }

    /// Handles a run whose decoder needed bytes outside the fetched ranges of the file. The job is queued again, to be
    /// made from the whole file or, for the poster of a video, from all frames that may become it. A job for a degraded
    /// image fails instead, because such an image is not worth a fetch of the whole file.
    private mutating func fetchWhole(_ run: Job.Run, of job: Job, at now: MonotonicTime) {
        guard case .rendition = job.filePart.extent, !run.isOverdue else {
            return fail(run, of: job, because: .rendering(.noPreview), at: now)
        }
        removeFromFetch(job)
        renders.fetchWhole(for: job.id)
        stopped(run, of: renders[job.id], at: now)
    }

    /// Handles a run that has stopped because it was told to, or was abandoned. If a request or a caching manager still wants the job, the job is queued again. Otherwise it ends. A job can
    /// still be wanted for three reasons:
    /// - it was stopped to make way for a more urgent job;
    /// - it was stopped so that its decode begins again and serves one more rendition;
    /// - after it was told to stop, a request or a caching manager asked for it again.
    mutating func stopped(_ run: Job.Run, of job: Job, at now: MonotonicTime) {
        guard !run.isOverdue else { return endOverdue(run, of: job, at: now) }
        let isWanted = rank(ofAll: [job.id] + run.members) != nil
        accounts.renderEnded(run, of: job.assetIdentifier, isWanted ? .preempted : .stopped, at: now)
        if rank(of: job) == nil {
            retire(job)
        } else {
            renders.requeue(job.id)
            updateRank(of: job.id)
        }
        requeueMembers(run.members, countingRestartOf: run.latecomers.isEmpty ? nil : job)
    }

    /// Handles the failure of a job for one of its subscribers, which are the requests that wait for it:
    /// - if the job was for a degraded image, the request continues without one;
    /// - if the file is damaged and the request accepts a partial image, the file is rendered as far as possible;
    /// - otherwise the request fails.
    mutating func fail(
        _ error: ImageRequestError, job: Job, for id: ImageRequestID, at now: MonotonicTime
    ) {
        guard let slot = requests.slot(of: id), case let request = requests[slot: slot], !request.hasEnded else {
            return
        }
        let asset = job.assetIdentifier
        guard request.finalJob == job.id else {
            requests.setDegradedJob(nil, of: slot)
            if job.kind == .preview { seekFastImage(like: job.key, job.work, for: id, slot) }
            return endIfLackingNetworkAccess(id, of: asset)
        }
        requests.setFinalJob(nil, of: slot)
        guard request.deliveryMode.acceptsDegraded, job.kind == .high, error.leavesPartialImage else {
            return deliverFailure(error, to: id, of: asset)
        }
        let key = job.key.with(.fast)
        if let fast = request.degradedJob, renders[key] == fast {
            // The request already waits for the `.fast` rendition as a degraded image. No better image of the damaged
            // photograph can be made, because the `.fast` rendition shows everything that can be decoded. So the
            // `.fast` rendition becomes the request's final image.
            requests.setDegradedJob(nil, of: slot)
            requests.setFinalJob(fast, of: slot)
        } else if let image = store.image(key) {
            deliverFinal(image, to: id, fromCache: true, at: now)
        } else if !request.isNetworkAccessAllowed, source(of: key, job.work).isRemote {
            deliverFailure(.networkAccessRequired, to: id, of: asset)
        } else {
            requests.setFinalJob(subscribe(id, to: key, work: job.work), of: slot)
        }
    }

    /// Fails the requests that wait for a render that has exceeded its time limit. Most decoders check the limit
    /// themselves. This method is for decoders that cannot be stopped, whose runs are abandoned, and for sources that
    /// do not answer: the worker stays busy, but no request waits for it any more.
    mutating func failOverdue(_ id: JobID, at now: MonotonicTime) {
        guard renders.contains(id), let run = renders[id].run else { preconditionFailure("a time limit for no run") }
        let latecomers = renders.markOverdue(id, alarm: addTimeLimit(for: id, at: now))
        if renders.isRunning(id) { tellToStop(id, run) }
        // Puts the jobs that joined the decode after its start back into the queue. They do not fail, because another
        // decode will make their renditions.
        requeueMembers(latecomers)
        for part in [id] + run.companions {
            let job = renders[part]
            renders.removeSubscribers(of: part)
            for subscriber in job.subscribers.inOrder { fail(.timeLimitExceeded, job: job, for: subscriber, at: now) }
            updateRank(of: part)
        }
    }

    mutating func addTimeLimit(for job: JobID, at now: MonotonicTime) -> AlarmHeap.Alarm {
        // The alarm must be later than now. If each new alarm were due at once, the loop that handles due alarms would
        // never end.
        let limit = max(configuration.renderTimeLimit, .milliseconds(1))
        return alarms.add(.timeLimit(job), at: now.advanced(by: limit))
    }

    /// Removes a job from `renders` when its worker has finished it, and then releases its resources with `dismiss`.
    private mutating func retire(_ job: Job) {
        renders.retire(job.id)
        dismiss(job)
    }

    /// Releases the resources of a job that has ended, and removes the link between the job and its fetch.
    mutating func dismiss(_ job: Job) {
        emit(.release(.work(job.work)))
        lookUps.removeJob(job.id)
        endClaim(of: job.id)
        refusals.removeJob(job.id)
        removeFromFetch(job)
    }
}

extension ImageRequestError {
    static let timeLimitExceeded = ImageRequestError.rendering(.limitExceeded(limit: .duration))

    /// Whether the error is due to damage that still lets a part of the image be decoded.
    fileprivate var leavesPartialImage: Bool {
        switch self {
        case .rendering(.truncated), .rendering(.malformed): true
        default: false
        }
    }
}
