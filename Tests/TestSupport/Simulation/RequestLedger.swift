import Thumbwheel

/// What a caller knows of its requests and may expect of them: kept without looking into the pipeline.
struct RequestLedger {
    struct Entry {
        let key: RenditionKey
        let mode: DeliveryMode
        var priority: RequestPriority
        /// Nothing can have ended the request yet: it was alive after its submission, nobody cancelled it, and no render
        /// of its rendition has come to an end since.
        var isCertainlyWaiting: Bool
        /// Cancelled while it was certainly waiting: no other end is allowed.
        var mustBeCancelled = false
        var mayBeCancelled = false
        /// Others of its priority came when there were enough, or it did itself.
        var mayBeShed = false
        var deadline: MonotonicTime?
        /// The deadline came while it was certainly waiting: no other end is allowed.
        var mustExceedDeadline = false
        /// A deadline has come, or there was none left at the submission.
        var mayExceedDeadline = false
        /// A render that could end it, or the fetch of its bytes, has failed.
        var mayFail = false
        /// Its file has to come over a network.
        var isRemote = false
        var isNetworkAccessAllowed = false
        var degradedPixelCount = 0
        var hasEnded = false
    }

    private(set) var entries: [ImageRequestID: Entry] = [:]
    /// Those that have not ended as far as results were taken, in order of submission.
    private(set) var open: [ImageRequestID] = []
    private(set) var endedCount = 0

    mutating func submitted(_ id: ImageRequestID, _ entry: Entry) -> String? {
        guard entries.updateValue(entry, forKey: id) == nil else { return "an identifier used twice" }
        open.append(id)
        return nil
    }

    mutating func cancelled(_ id: ImageRequestID) {
        guard let entry = entries[id] else { return }
        entries[id]!.mayBeCancelled = true
        if entry.isCertainlyWaiting { entries[id]!.mustBeCancelled = true }
        entries[id]!.isCertainlyWaiting = false
    }

    mutating func moved(_ id: ImageRequestID, to priority: RequestPriority) {
        entries[id]?.priority = priority
    }

    /// The oldest of a priority may have been made to end.
    mutating func shed(at priority: RequestPriority) {
        for id in open where entries[id]!.priority == priority {
            entries[id]!.mayBeShed = true
            entries[id]!.isCertainlyWaiting = false
        }
    }

    /// The pipeline is about to be told what time it is.
    mutating func timePassed(at now: MonotonicTime) {
        for id in open {
            guard let deadline = entries[id]!.deadline, deadline <= now else { continue }
            entries[id]!.mayExceedDeadline = true
            if entries[id]!.isCertainlyWaiting { entries[id]!.mustExceedDeadline = true }
            entries[id]!.isCertainlyWaiting = false
        }
    }

    /// A render has come to an end other than by being stopped.
    mutating func rendered(_ key: RenditionKey, hasFailed: Bool) {
        for id in open where entries[id]!.key.subject == key.subject {
            if entries[id]!.key == key { entries[id]!.isCertainlyWaiting = false }
            if hasFailed, key.kind != .preview { entries[id]!.mayFail = true }
        }
    }

    /// The bytes of a subject could not be had.
    mutating func failedToFetch(_ subject: RenditionKey.Subject) {
        for id in open where entries[id]!.key.subject == subject {
            entries[id]!.isCertainlyWaiting = false
            entries[id]!.mayFail = true
        }
    }

    mutating func cancelledAll() {
        for id in open { cancelled(id) }
    }

    /// The requests at `priority` that certainly wait for a rendition.
    func waiting(at priority: RequestPriority) -> [Entry] {
        open.compactMap { id in
            let entry = entries[id]!
            return entry.isCertainlyWaiting && entry.priority == priority ? entry : nil
        }
    }

    func hasOpenRequest(for subject: RenditionKey.Subject, at priority: RequestPriority) -> Bool {
        open.contains { entries[$0]!.key.subject == subject && entries[$0]!.priority == priority }
    }

    /// Takes note of a result.
    ///
    /// - Returns: what is wrong with it.
    mutating func received(_ result: PipelineResult, for id: ImageRequestID) -> String? {
        guard let entry = entries[id] else { return "a result for a request that never was" }
        guard !entry.hasEnded else { return "a result after the terminal one" }
        switch result {
        case .progress(let fraction):
            guard entry.isRemote, entry.isNetworkAccessAllowed || entry.mustBeCancelled else {
                return "progress of what is not fetched"
            }
            return (0...1).contains(fraction) ? nil : "progress beyond all"
        case .degraded(let image, let info):
            entries[id]!.degradedPixelCount = image.pixelSize.pixelCount
            // It may have been in the outbox already.
            if entry.mustBeCancelled || entry.mustExceedDeadline { return nil }
            return fault(inDegraded: image, info, of: entry) ?? fault(in: info, of: id, entry)
        case .final(let image, let info):
            end(id)
            if entry.mustExceedDeadline { return "a deadline lost" }
            return entry.mustBeCancelled
                ? "a cancellation lost" : fault(inFinal: image, info, of: entry) ?? fault(in: info, of: id, entry)
        case .failed(.networkAccessRequired, let info):
            end(id)
            return entry.isRemote && !entry.isNetworkAccessAllowed
                ? fault(in: info, of: id, entry) : "a needless refusal"
        case .failed(let error, let info):
            end(id)
            if entry.mustBeCancelled { return "a cancellation lost" }
            if error == .deadlineExceeded {
                return entry.mayExceedDeadline ? fault(in: info, of: id, entry) : "a deadline before its time"
            }
            if entry.mustExceedDeadline { return "a deadline lost" }
            if error == .overloaded {
                return entry.mayBeShed ? fault(in: info, of: id, entry) : "shed without need"
            }
            return entry.mayFail ? fault(in: info, of: id, entry) : "a failure out of nothing"
        case .cancelled:
            end(id)
            if entry.mustExceedDeadline { return "a deadline lost" }
            return entry.mayBeCancelled ? nil : "cancelled by nobody"
        }
    }

    private mutating func end(_ id: ImageRequestID) {
        entries[id]!.hasEnded = true
        entries[id]!.isCertainlyWaiting = false
        open.removeAll { $0 == id }
        endedCount += 1
    }

    private func fault(inDegraded image: PipelineImage, _ info: ImageInfo, of entry: Entry) -> String? {
        if entry.mode != .opportunistic { return "a degraded image nobody asked for" }
        if image.pixelSize.pixelCount <= entry.degradedPixelCount { return "a degraded image no better than the last" }
        return info.isDegraded ? nil : "a degraded image that does not say so"
    }

    private func fault(inFinal image: PipelineImage, _ info: ImageInfo, of entry: Entry) -> String? {
        if info.isPartial != image.isPartial || info.isDegraded != image.isPartial { return "a partial image unmarked" }
        if image.eighths == SimulatedWorld.eighths(of: .preview) { return "a preview as the final image" }
        if image.pixelSize != entry.key.options.targetSize { return "a final image of another size" }
        if entry.mode == .highQuality, image.eighths != SimulatedWorld.eighths(of: .high) { return "a final too cheap" }
        if entry.mode == .opportunistic, image.eighths != SimulatedWorld.eighths(of: .high), !entry.mayFail {
            return "a fallback without a failure"
        }
        return nil
    }

    private func fault(in info: ImageInfo, of id: ImageRequestID, _ entry: Entry) -> String? {
        info.requestID == id && info.asset == entry.key.subject.asset ? nil : "a result of another request"
    }
}
