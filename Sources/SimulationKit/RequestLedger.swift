import ThumbwheelAssets
import ThumbwheelCore
import ThumbwheelFormats
import ThumbwheelPipeline
import ThumbwheelRendering
import ThumbwheelScheduling

/// What a caller knows of its requests and may expect of them: kept without looking into the pipeline.
struct RequestLedger {
    struct Entry {
        /// The history's own for the request.
        let number: Int
        let key: RenditionKey
        let mode: DeliveryMode
        var priority: RequestPriority
        /// Nothing can have ended the request yet: it was alive after its submission, nobody cancelled it, and no render
        /// of its rendition has come to an end since.
        var isCertainlyWaiting = false
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
        let isRemote: Bool
        let isNetworkAccessAllowed: Bool
        /// How many degraded images it may get.
        let degradedLimit: Int
        var degradedCount = 0
        var degradedPixelCount = 0
        var hasEnded = false

        init(_ request: SimulatedRequest, key: RenditionKey) {
            number = request.number
            self.key = key
            mode = request.mode
            priority = request.priority
            isRemote = SimulatedWorld.isRemote(key)
            isNetworkAccessAllowed = request.isNetworkAccessAllowed
            degradedLimit = request.mode != .opportunistic ? 0 : request.allowsSecondDegraded ? 2 : 1
        }
    }

    private(set) var entries: [Entry] = []
    /// Those that have not ended as far as results were taken, in order of submission.
    private(set) var open: [Int] = []
    private(set) var endedCount = 0
    /// Where in `entries` a request is: by its identifier, and by the history's number.
    private var indices: [ImageRequestID: Int] = [:]
    private var identifiers: [Int: ImageRequestID] = [:]

    subscript(id: ImageRequestID) -> Entry? { indices[id].map { entries[$0] } }

    /// An identifier that no request ever has where there is none of this number.
    func identifier(of number: Int) -> ImageRequestID {
        identifiers[number] ?? ImageRequestID(rawValue: UInt64.max - UInt64(number))
    }

    mutating func submitted(_ id: ImageRequestID, _ entry: Entry) -> String? {
        guard indices.updateValue(entries.count, forKey: id) == nil else { return "an identifier used twice" }
        open.append(entries.count)
        entries.append(entry)
        identifiers[entry.number] = id
        return nil
    }

    mutating func cancelled(_ id: ImageRequestID) {
        if let index = indices[id] { cancelled(index) }
    }

    mutating func cancelledAll() {
        for index in open { cancelled(index) }
    }

    private mutating func cancelled(_ index: Int) {
        entries[index].mayBeCancelled = true
        if entries[index].isCertainlyWaiting { entries[index].mustBeCancelled = true }
        entries[index].isCertainlyWaiting = false
    }

    mutating func moved(_ id: ImageRequestID, to priority: RequestPriority) {
        if let index = indices[id] { entries[index].priority = priority }
    }

    /// The oldest of a priority may have been made to end.
    mutating func shed(at priority: RequestPriority) {
        for index in open where entries[index].priority == priority {
            entries[index].mayBeShed = true
            entries[index].isCertainlyWaiting = false
        }
    }

    /// The pipeline is about to be told what time it is.
    mutating func timePassed(at now: MonotonicTime) {
        for index in open {
            guard let deadline = entries[index].deadline, deadline <= now else { continue }
            entries[index].mayExceedDeadline = true
            if entries[index].isCertainlyWaiting { entries[index].mustExceedDeadline = true }
            entries[index].isCertainlyWaiting = false
        }
    }

    /// A render has come to an end other than by being stopped.
    mutating func rendered(_ key: RenditionKey, hasFailed: Bool) {
        for index in open where entries[index].key.subject == key.subject {
            if entries[index].key == key { entries[index].isCertainlyWaiting = false }
            if hasFailed, key.kind != .preview { entries[index].mayFail = true }
        }
    }

    /// A tier below memory does not have a rendition.
    mutating func lookedUp(_ key: RenditionKey) {
        for index in open where entries[index].key == key && entries[index].isRemote {
            entries[index].isCertainlyWaiting = false
        }
    }

    /// Look-ups may have been given up, because they took too long.
    mutating func lookUpsMayHang() {
        for index in open where entries[index].isRemote { entries[index].isCertainlyWaiting = false }
    }

    /// The bytes of a subject could not be had.
    mutating func failedToFetch(_ subject: RenditionKey.Subject) {
        for index in open where entries[index].key.subject == subject {
            entries[index].isCertainlyWaiting = false
            if entries[index].isNetworkAccessAllowed { entries[index].mayFail = true }
        }
    }

    /// What the requests at `priority` certainly wait for a worker to make: those whose bytes are elsewhere may wait for
    /// them instead.
    func renditionsAwaited(at priority: RequestPriority) -> Set<RenditionKey> {
        var keys: Set<RenditionKey> = []
        for index in open where entries[index].isCertainlyWaiting && entries[index].priority == priority {
            guard !entries[index].isRemote else { continue }
            keys.insert(entries[index].key)
        }
        return keys
    }

    func hasOpenRequest(for subject: RenditionKey.Subject, at priority: RequestPriority) -> Bool {
        open.contains { entries[$0].priority == priority && entries[$0].key.subject == subject }
    }

    /// Takes note of a result.
    ///
    /// - Returns: what is wrong with it.
    mutating func received(_ result: PipelineResult, for id: ImageRequestID) -> String? {
        guard let index = indices[id] else { return "a result for a request that never was" }
        let entry = entries[index]
        guard !entry.hasEnded else { return "a result after the terminal one" }
        switch result {
        case .progress(let fraction):
            guard entry.isRemote, entry.isNetworkAccessAllowed || entry.mustBeCancelled else {
                return "progress of what is not fetched"
            }
            return (0...1).contains(fraction) ? nil : "progress beyond all"
        case .degraded(let shared, let info):
            entries[index].degradedPixelCount = shared.facts.pixelSize.pixelCount
            entries[index].degradedCount += 1
            // It may have been in the outbox already.
            if entry.mustBeCancelled || entry.mustExceedDeadline { return nil }
            return fault(inDegraded: shared.facts, info, of: entry) ?? fault(in: info, of: id, entry)
        case .final(let shared, let info):
            end(index)
            if entry.mustExceedDeadline { return "a deadline lost" }
            return entry.mustBeCancelled
                ? "a cancellation lost"
                : fault(inFinal: shared.facts, info, of: entry) ?? fault(in: info, of: id, entry)
        case .failed(.networkAccessRequired, let info):
            end(index)
            return entry.isRemote && !entry.isNetworkAccessAllowed
                ? fault(in: info, of: id, entry) : "a needless refusal"
        case .failed(let error, let info):
            end(index)
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
            end(index)
            if entry.mustExceedDeadline { return "a deadline lost" }
            return entry.mayBeCancelled ? nil : "cancelled by nobody"
        }
    }

    private mutating func end(_ index: Int) {
        entries[index].hasEnded = true
        entries[index].isCertainlyWaiting = false
        open.removeAll { $0 == index }
        endedCount += 1
    }

    private func fault(inDegraded image: ImageFacts, _ info: ImageInfo, of entry: Entry) -> String? {
        if entry.degradedCount >= entry.degradedLimit { return "a degraded image nobody asked for" }
        if image.pixelSize.pixelCount <= entry.degradedPixelCount { return "a degraded image no better than the last" }
        return info.isDegraded ? nil : "a degraded image that does not say so"
    }

    private func fault(inFinal image: ImageFacts, _ info: ImageInfo, of entry: Entry) -> String? {
        if info.isPartial != image.isPartial || info.isDegraded { return "a partial image unmarked" }
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
