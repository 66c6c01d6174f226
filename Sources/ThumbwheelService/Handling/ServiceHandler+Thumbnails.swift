import Dispatch
import Thumbwheel
import ThumbwheelCore

extension ServiceHandler {
    /// Answers `/a/{asset}/{version}/{width}x{height}.{format}`.
    func thumbnail(
        _ request: ServiceRequest, _ target: ServiceTarget, _ notes: inout ServiceNotes
    ) throws(ServiceError) -> ServiceAnswer {
        let (resident, isSigned) = try resident(of: request, target, &notes)
        let address = try ThumbnailAddress(target.segments[3], target.query)
        guard let asset = resident.asset(target.segments[1]) else { throw .notFound }
        if resident.isKnownInside(asset) {
            return try thumbnail(request, target, address, asset, resident, isSigned: isSigned)
        }
        return try later(files, resident) { () throws(ServiceError) in
            guard resident.isInside(asset) else { throw .notFound }
            return try thumbnail(request, target, address, asset, resident, isSigned: isSigned)
        }
    }

    private func thumbnail(
        _ request: ServiceRequest, _ target: ServiceTarget, _ address: ThumbnailAddress, _ asset: Asset,
        _ resident: Resident, isSigned: Bool
    ) throws(ServiceError) -> ServiceAnswer {
        let version = resident.names.version(of: asset)
        guard target.segments[2] == version else {
            return .ready(try moved(target, to: version, isSigned: isSigned))
        }
        let accepted = AcceptedTypes(request.fields.list("accept"))
        guard let format = address.format ?? PictureFormat(accepted) else { throw .notAcceptable }
        let order = ThumbnailOrder(asset, address, format, isSigned: isSigned, configuration)
        let tag = order.tag(name: target.segments[1], version: version)
        let isPublic = isSigned || resident.tenant.tokens.isEmpty
        var fields: HTTPFields = [
            "etag": tag, "content-type": format.contentType.rawValue,
            "cache-control": cacheControl(target, isPublic: isPublic, isSigned: isSigned),
        ]
        if address.format == nil { fields.add("vary", "accept") }
        switch Conditions(request.fields).outcome(tag) {
        case .failed: throw .precondition
        case .notModified: return .ready(ServiceResponse(status: 304, fields: fields).from(.client))
        case .send: break
        }
        if request.isHead { return .ready(ServiceResponse(status: 200, fields: fields)) }
        try checkQuota(of: resident)
        return try picture(order, PriorityHint(request.fields), resident, fields, unless: request.hasLeft)
    }

    /// The answer for a version that is not, or no longer, the asset's.
    private func moved(
        _ target: ServiceTarget, to version: String, isSigned: Bool
    ) throws(ServiceError) -> ServiceResponse {
        if isSigned { throw .gone }
        let query = target.query.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: "&")
        let path = "/a/\(target.segments[1])/\(version)/\(target.segments[3])"
        return ServiceResponse(
            status: 307,
            fields: ["location": query.isEmpty ? path : path + "?" + query, "cache-control": "no-store"])
    }

    /// Returns the picture from the cache, or has it made.
    ///
    /// - Parameter hasLeft: Says whether the client has left. Nothing is then begun: to stop a render that runs outside the process
    ///   costs a process.
    func picture(
        _ order: ThumbnailOrder, _ hint: PriorityHint, _ resident: Resident, _ fields: HTTPFields,
        unless hasLeft: (@Sendable () -> Bool)?
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
        let pending = PendingResponse()
        let end = configuration.deadline.map { ContinuousClock.now + $0 }
        let entry = admission.enter(resident.index, hint) { [self] entry in
            // The client may have left while the request waited for its turn.
            guard !pending.isCancelled else {
                pending.finish(.abandoned)
                admission.leave(entry)
                return
            }
            guard resident.roots != nil else {
                render(order, options, end, resident, fields, pending, entry, isNew: isNew)
                return
            }
            // The thread may be one of a socket, which must not wait for a disk.
            BlockingThreads.services.run {
                guard !pending.isCancelled, resident.isReallyInside(order.asset) else {
                    pending.finish(pending.isCancelled ? .abandoned : ServiceError.notFound.response)
                    admission.leave(entry)
                    return
                }
                render(order, options, end, resident, fields, pending, entry, isNew: isNew)
            }
        }
        guard let entry else { throw .busy(retryAfter: configuration.retryAfterSeconds) }
        pending.stops(replacing: false) { [admission] in
            if admission.withdraw(entry) { pending.finish(.abandoned) }
        }
        if let deadline = configuration.deadline, admission.isWaiting(entry) {
            endWaiting(pending, entry, after: deadline)
        }
        return .pending(pending)
    }

    /// - Parameter isNew: Whether a picture that others have had must take as long as it would if nobody had.
    private func render(
        _ order: ThumbnailOrder, _ options: ImageRequestOptions, _ end: ContinuousClock.Instant?, _ resident: Resident,
        _ fields: HTTPFields, _ pending: PendingResponse, _ entry: Admission.Entry, isNew: Bool
    ) {
        let start = MonotonicTime.now
        // The render has the time that the wait has left.
        var options = options
        options.deadline = end.map { max(.zero, ContinuousClock.now.duration(to: $0)) }
        let id = manager.requestImageData(
            for: order.asset, targetSize: order.size, contentMode: order.contentMode, encoding: order.encoding,
            options: options
        ) { result in
            let response = response(result, fields)
            var missing = 0.0
            if response.status == 200, let seen = resident.seen {
                if response.notes.origin == .render { costs.note(order.mark, response.notes.renderMilliseconds) }
                let passed = MonotonicTime.now.milliseconds(since: start)
                if !seen.insert(order.mark, of: order.asset.identifier), isNew {
                    missing = costs.cost(of: order.mark) - passed
                }
            }
            let cost = max(response.notes.renderMilliseconds, missing)
            let finish: @Sendable () -> Void = {
                // The client is answered before others are started.
                pending.finish(response)
                admission.leave(entry, milliseconds: cost)
            }
            if missing > 0 { hold(missing, finish) } else { finish() }
        }
        pending.stops { [manager] in manager.cancelImageRequest(id) }
    }

    /// Ends a request at its deadline if it still waits for its turn then. Once it is started, the manager knows the deadline.
    private func endWaiting(_ pending: PendingResponse, _ entry: Admission.Entry, after deadline: Duration) {
        let busy = ServiceError.busy(retryAfter: configuration.retryAfterSeconds).response
        let (seconds, attoseconds) = deadline.components
        let time = Double(seconds) + Double(attoseconds) / 1e18
        DispatchQueue.global().asyncAfter(deadline: .now() + time) { [admission, weak pending] in
            guard let pending, pending.response == nil, admission.withdraw(entry) else { return }
            pending.finish(busy)
        }
    }

    private func response(_ result: ImageDataResult, _ fields: HTTPFields) -> ServiceResponse {
        switch result {
        case .final(let data, let info):
            var response = ServiceResponse(status: 200, fields: fields, body: .bytes(data.bytes))
            response = response.from(info.source == .cache ? .cache : info.isFromStore ? .store : .render)
            response.notes.queueMilliseconds = info.queueMilliseconds
            response.notes.renderMilliseconds = info.renderMilliseconds
            return response
        case .failed(let error, _): return self.error(for: error).response
        case .cancelled: return .abandoned
        }
    }

    /// The refusal for an error of the library. Its words are the service's own: the library's may hold paths.
    private func error(for error: ImageRequestError) -> ServiceError {
        switch error {
        case .overloaded, .deadlineExceeded: .busy(retryAfter: configuration.retryAfterSeconds)
        case .rendering(.source(.notFound)), .rendering(.source(.notAFile)): .notFound
        case .rendering(.source(let error)) where error.isLackOfDescriptors:
            .busy(retryAfter: configuration.retryAfterSeconds)
        case .rendering, .unsupportedMedia: .notRenderable
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

    fileprivate func from(_ origin: ServiceNotes.Origin) -> ServiceResponse {
        var response = self
        response.notes.origin = origin
        return response
    }
}
