import Thumbwheel
import ThumbwheelCore

extension ServiceHandler {
    /// The most pictures that one address may name; more do not fit into the longest target.
    static let previewLimit = 60
    /// The longest side of these pictures in pixels.
    static let previewSide = 96

    /// Answers `/api/previews?of={asset}.{version},…`: small pictures of several assets, in one answer, each as soon as it is there.
    ///
    /// They are made in the cheapest way, from previews in the files where there are any: for cells that a scroll passes,
    /// and for those that wait for their thumbnails. One answer has many because a browser has few connections, each of
    /// which would otherwise wait for a single picture. `PreviewRecord` describes the bytes. Unknown assets, other
    /// versions, and pictures that cannot be made are left out.
    ///
    /// A picture that is missing for a reason that passes must be asked for again, so an answer without it is never kept:
    /// one that is there at once says so in its header, and a stream breaks off instead of ending.
    func previews(
        _ request: ServiceRequest, _ target: ServiceTarget, _ notes: inout ServiceNotes
    ) throws(ServiceError) -> ServiceAnswer {
        notes.route = .previews
        guard !configuration.requiresSignatures else { throw .signature }
        let resident = try resident(of: request, &notes)
        let wishes = (target.query["of"] ?? "").split(separator: ",", omittingEmptySubsequences: false)
        guard target.query.count == 1, (1...Self.previewLimit).contains(wishes.count) else { throw .parameter }
        let fields: HTTPFields = [
            "content-type": "application/octet-stream",
            // Addresses name versions. But a picture that cannot be made now may be made after a change of the service.
            "cache-control": (resident.tenant.tokens.isEmpty ? "public" : "private") + ", max-age=3600",
        ]
        if request.isHead { return .ready(ServiceResponse(status: 200, fields: fields)) }
        try checkQuota(of: resident)
        let hint = PriorityHint(request.fields)
        let assets = wishes.map { wish -> Asset? in
            let parts = wish.split(separator: ".", omittingEmptySubsequences: false)
            guard parts.count == 2, let asset = resident.asset(parts[0]),
                resident.names.version(of: asset) == parts[1]
            else { return nil }
            return asset
        }
        guard let unknown = assets.lazy.compactMap({ $0 }).first(where: { !resident.isKnownInside($0) }) else {
            return try previews(assets, hint, resident, fields, unless: request.hasLeft)
        }
        return try later(files, resident.folderPlace(of: unknown)) { [fields] waiting throws(ServiceError) in
            let inside = assets.map { $0.flatMap { resident.isInside($0) ? $0 : nil } }
            if waiting.isOver { return .ready(.abandoned) }
            return try previews(inside, hint, resident, fields, unless: request.hasLeft, since: waiting.arrival)
        }
    }

    /// - Parameters:
    ///   - assets: The assets of the address, in its order; nil for those that are left out.
    ///   - hasLeft: Says whether the client has left, so that nothing is begun.
    private func previews(
        _ assets: [Asset?], _ hint: PriorityHint, _ resident: Resident, _ fields: HTTPFields,
        unless hasLeft: (@Sendable () -> Bool)?, since arrival: MonotonicTime? = nil
    ) throws(ServiceError) -> ServiceAnswer {
        if let hasLeft, hasLeft() { return .ready(.abandoned) }
        var (hint, fields) = (hint, fields)
        let first = hint.urgency
        var done: [UInt8] = []
        var waiting: [(index: Int, pending: PendingResponse)] = []
        var refusal: ServiceError?
        let notes = PictureNotes()
        for (index, asset) in assets.enumerated() {
            guard let asset else { continue }
            // Among requests that are equally urgent the newest goes first; here, the first of the list is to.
            hint.urgency = first + Double(index) / 1000
            do throws(ServiceError) {
                let order = ThumbnailOrder(previewOf: asset, Self.previewSide)
                switch try picture(order, hint, resident, [:], unless: nil, since: arrival) {
                case .ready(let response):
                    metrics.count(response.notes.origin)
                    notes.add(response.notes)
                    done += PreviewRecord.bytes(index, response)
                case .pending(let pending): waiting.append((index, pending))
                }
            } catch {
                // The tenant has too many requests, which passes, or the file is not where it was.
                if error.status == 503 { refusal = error }
            }
        }
        if let refusal {
            guard !(done.isEmpty && waiting.isEmpty) else { throw refusal }
            fields["cache-control"] = "no-store"
        }
        guard !waiting.isEmpty else { return .ready(.previews(fields, .bytes(done), notes)) }
        // A proxy that held the answer back until its end would hold the first pictures back as well.
        fields.add("x-accel-buffering", "no")
        let stream = stream(done, waiting, notes, isComplete: refusal == nil)
        return .ready(.previews(fields, .stream(stream), notes))
    }

    /// Makes a stream of pictures that are there and of those that are being made. The work ends if the stream does.
    ///
    /// - Parameters:
    ///   - notes: What is known of the pictures that are there; the others add theirs.
    ///   - isComplete: Whether none is missing for a reason that passes.
    private func stream(
        _ done: [UInt8], _ waiting: [(index: Int, pending: PendingResponse)], _ notes: PictureNotes, isComplete: Bool
    ) -> ByteStream {
        let stream = ByteStream(capacity: 4 << 20)
        stream.keep(PreviewWork(waiting.map(\.pending)))
        stream.append(done)
        let countdown = Countdown(waiting.count, hasFailed: !isComplete)
        for (index, pending) in waiting {
            pending.whenReady { [metrics] response in
                metrics.count(response.notes.origin)
                notes.add(response.notes)
                stream.append(PreviewRecord.bytes(index, response))
                if response.status == 503 || response.notes.isAbandoned { countdown.fail() }
                guard countdown.isOverNow() else { return }
                if countdown.hasFailed { stream.close() } else { stream.complete() }
            }
        }
        return stream
    }
}

extension ServiceResponse {
    fileprivate static func previews(
        _ fields: HTTPFields, _ body: ServiceBody, _ notes: PictureNotes
    ) -> ServiceResponse {
        var response = ServiceResponse(status: 200, fields: fields, body: body)
        response.notes.pictures = notes
        return response
    }
}
