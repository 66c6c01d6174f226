import Thumbwheel
import ThumbwheelCore

extension ServiceHandler {
    /// Returns the picture from the cache, or has it made.
    ///
    /// - Parameters:
    ///   - hasLeft: Says whether the client has left. Nothing is then begun: to stop a render that runs outside the process
    ///     costs a process.
    ///   - arrival: When the request came; nil for just now.
    func picture(
        _ order: ThumbnailOrder, _ hint: PriorityHint, _ resident: Resident, _ fields: HTTPFields,
        unless hasLeft: (@Sendable () -> Bool)?, since arrival: MonotonicTime? = nil
    ) throws(ServiceError) -> ServiceAnswer {
        let options = order.options(hint, configuration, resident.budgetShare)
        // What one of several tenants has not had yet takes its time, even if another one has.
        let isNew = resident.seen.map { !$0.contains(order.mark) } ?? false
        if !isNew,
            let data = manager.cachedData(
                for: order.asset, targetSize: order.size, contentMode: order.contentMode, encoding: order.encoding,
                options: options)
        {
            return .ready(
                ServiceResponse(status: 200, fields: fields, body: .bytes(data.bytes)).from(.cache))
        }
        if let hasLeft, hasLeft() { return .ready(.abandoned) }
        let work = PictureWork(
            order: order, options: options, resident: resident, fields: fields, arrival: arrival ?? .now)
        guard resident.roots != nil else { return try enter(work, hint, isTimed: false) }
        // The thread may be one of a socket, which must not wait for a disk. The file is looked at before the request has a turn, so
        // that those who wait for a disk that hangs take nobody's.
        return try later(files, resident.folderPlace(of: order.asset), since: work.arrival) {
            waiting throws(ServiceError) in
            guard isReallyInside(resident, order.asset) else { throw .notFound }
            if waiting.isOver { return .ready(.abandoned) }
            return try enter(work, hint, isTimed: true)
        }
    }

    /// Has a picture made when it is its request's turn.
    ///
    /// - Parameter isTimed: Whether the answer is ended at its deadline by who asks for it.
    private func enter(
        _ work: PictureWork, _ hint: PriorityHint, isTimed: Bool
    ) throws(ServiceError) -> ServiceAnswer {
        let pending = PendingResponse()
        let entry = admission.enter(work.resident.index, hint) { [self] entry in
            // The client may have left while the request waited for its turn, and the deadline may be over.
            guard !pending.isCancelled, pending.response == nil else {
                pending.finish(.abandoned)
                admission.leave(entry)
                return
            }
            render(work, pending, entry)
        }
        guard let entry else { throw .busy(retryAfter: configuration.retryAfterSeconds) }
        pending.stops(at: .waiting) { [admission] in
            if admission.withdraw(entry) { pending.finish(.abandoned) }
        }
        // Once it is started, the manager knows the deadline.
        if !isTimed, admission.isWaiting(entry) { endAtDeadline(pending, since: work.arrival) }
        return .pending(pending)
    }

    private func render(_ work: PictureWork, _ pending: PendingResponse, _ entry: Admission.Entry) {
        let start = MonotonicTime.now
        // The render has the time that the wait has left.
        var options = work.options
        options.deadline = millisecondsLeft(since: work.arrival, at: start).map { .milliseconds($0) }
        let id = manager.requestImageData(
            for: work.order.asset, targetSize: work.order.size, contentMode: work.order.contentMode,
            encoding: work.order.encoding, options: options
        ) { result in
            deliver(response(result, to: work, begun: start), of: work, pending, entry, begun: start)
        }
        pending.stops { [manager] in manager.cancelImageRequest(id) }
    }

    /// Answers with a picture that is made, or with why there is none.
    ///
    /// - Parameter start: When the render was asked for.
    private func deliver(
        _ response: ServiceResponse, of work: PictureWork, _ pending: PendingResponse, _ entry: Admission.Entry,
        begun start: MonotonicTime
    ) {
        let (order, seen) = (work.order, work.resident.seen)
        let missing = missingTime(of: response, of: work, begun: start)
        // A failure does not tell how long its render took.
        let spent = response.status == 422 ? MonotonicTime.now.milliseconds(since: start) : 0
        let cost = max(response.notes.renderMilliseconds, missing, spent)
        let finish: @Sendable () -> Void = { [admission] in
            // Only now does the tenant know: another request for the picture, made meanwhile, takes its time as well.
            switch response.status {
            case 200: seen?.insert(order.mark, of: order.asset.identifier)
            case 422: seen?.insertFailure(order.mark)
            default: break
            }
            // The client is answered before others are started.
            pending.finish(response)
            admission.leave(entry, milliseconds: cost)
        }
        guard missing > 0 else { return finish() }
        pending.stops(at: .held) { [admission] in
            pending.finish(.abandoned)
            admission.leave(entry, milliseconds: MonotonicTime.now.milliseconds(since: start))
        }
        let left = millisecondsLeft(since: work.arrival) ?? .infinity
        let seconds = configuration.retryAfterSeconds
        hold(min(missing, left)) { [admission] in
            // The client may have left.
            guard pending.response == nil else { return }
            guard missing > left else { return finish() }
            pending.finish(.busy(retryAfter: seconds, since: work.arrival))
            admission.leave(entry, milliseconds: cost)
        }
    }

    /// The time for which a response must be held back, in milliseconds, so that it tells a tenant nothing of others' requests; 0 or
    /// less for none.
    private func missingTime(
        of response: ServiceResponse, of work: PictureWork, begun start: MonotonicTime
    ) -> Double {
        guard response.status == 200 || response.status == 422, let seen = work.resident.seen else { return 0 }
        let mark = work.order.mark
        if response.notes.origin == .render { costs.note(mark, response.notes.renderMilliseconds) }
        guard !seen.contains(mark) else { return 0 }
        let passed = MonotonicTime.now.milliseconds(since: start)
        // A file that cannot be rendered is remembered as pictures are, whoever asked for it first.
        let cost =
            response.status == 200
            ? costs.cost(of: mark) : costs.cost(ofFailure: mark, of: work.order.contentMark, after: passed)
        return cost - passed
    }

    private func response(
        _ result: ImageDataResult, to work: PictureWork, begun start: MonotonicTime
    ) -> ServiceResponse {
        var response: ServiceResponse
        switch result {
        case .final(let data, let info):
            response = ServiceResponse(status: 200, fields: work.fields, body: .bytes(data.bytes))
            response = response.from(info.source == .cache ? .cache : info.isFromStore ? .store : .render)
            response.notes.addWait(info.queueMilliseconds)
            response.notes.renderMilliseconds = info.renderMilliseconds
        case .failed(let error, _):
            response = self.error(for: error).response
            // A request that ends for want of time or room has waited to its end.
            if response.status == 503 { response.notes.addWait(MonotonicTime.now.milliseconds(since: start)) }
        case .cancelled: return .abandoned
        }
        response.notes.addWait(start.milliseconds(since: work.arrival))
        return response
    }

    /// The refusal for an error of the library. Its words are the service's own: the library's may hold paths.
    private func error(for error: ImageRequestError) -> ServiceError {
        switch error {
        case .overloaded, .deadlineExceeded: .busy(retryAfter: configuration.retryAfterSeconds)
        case .rendering(.source(.notFound)), .rendering(.source(.notAFile)): .notFound
        case .rendering(let error) where error.isCausedByFile: .notRenderable
        case .rendering(.limitExceeded), .rendering(.encodingFailed), .rendering(.noPreview), .unsupportedMedia:
            .notRenderable
        // Anything else is a fault of this machine, which may pass: a decoder's process that was killed, a disk that does not answer.
        case .rendering: .busy(retryAfter: configuration.retryAfterSeconds)
        case .network, .networkAccessRequired: .elsewhere
        case .invalidRequest: .parameter
        case .cancelled: .failed
        }
    }
}

extension ServiceResponse {
    /// The response to a request whose client has left. Nobody reads it.
    static let abandoned = {
        var response = ServiceError.failed.response
        response.notes.isAbandoned = true
        return response
    }()
}
