import Thumbwheel

extension ServiceHandler {
    /// The most pictures that one address may name; more do not fit into the longest target.
    static let previewLimit = 60
    /// The longest side of these pictures in pixels.
    static let previewSide = 96

    /// Answers `/api/previews?of={asset}.{version},…`: small pictures of several assets, in one answer, each as soon as it is there.
    ///
    /// They are made in the cheapest way, from previews in the files where there are any: for cells that a scroll passes, and for those
    /// that wait for their thumbnails. One answer has many because a browser has few connections, each of which would otherwise wait
    /// for a single picture. `PreviewRecord` describes the bytes. Assets that there are not, or whose version is another one, or that no picture
    /// can be made of, are left out.
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
            // Addresses name versions. But a picture that could not be made in time is missing, so it is not for ever.
            "cache-control": (resident.tenant.tokens.isEmpty ? "public" : "private") + ", max-age=3600",
        ]
        if request.isHead { return .ready(ServiceResponse(status: 200, fields: fields)) }
        try checkQuota(of: resident)
        var hint = PriorityHint(request.fields)
        let first = hint.urgency
        var done: [UInt8] = []
        var waiting: [(index: Int, pending: PendingResponse)] = []
        for (index, wish) in wishes.enumerated() {
            let parts = wish.split(separator: ".", omittingEmptySubsequences: false)
            guard parts.count == 2, let asset = resident.asset(parts[0]),
                resident.names.version(of: asset) == parts[1]
            else { continue }
            // Among requests that are equally urgent the newest goes first; here, the first of the list is to.
            hint.urgency = first + Double(index) / 1000
            switch try? picture(ThumbnailOrder(previewOf: asset, Self.previewSide), hint, resident, [:]) {
            case .ready(let response)?:
                metrics.count(response.notes.origin)
                done += PreviewRecord.bytes(index, response)
            case .pending(let pending)?: waiting.append((index, pending))
            // The tenant has too many requests, or the file is not where it was.
            case nil: continue
            }
        }
        guard !waiting.isEmpty else {
            return .ready(ServiceResponse(status: 200, fields: fields, body: .bytes(done)))
        }
        return .ready(ServiceResponse(status: 200, fields: fields, body: .stream(stream(done, waiting))))
    }

    /// Makes a stream of pictures that are there and of those that are being made. The work ends if the stream does.
    private func stream(_ done: [UInt8], _ waiting: [(index: Int, pending: PendingResponse)]) -> ByteStream {
        let stream = ByteStream(capacity: 4 << 20)
        stream.keep(PreviewWork(waiting.map(\.pending)))
        stream.append(done)
        let countdown = Countdown(waiting.count)
        for (index, pending) in waiting {
            pending.whenReady { [metrics] response in
                metrics.count(response.notes.origin)
                stream.append(PreviewRecord.bytes(index, response))
                if countdown.isOverNow() { stream.close() }
            }
        }
        return stream
    }
}
