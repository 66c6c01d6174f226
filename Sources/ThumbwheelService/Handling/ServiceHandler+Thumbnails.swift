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
        return try later(files, resident.folderPlace(of: asset)) { waiting throws(ServiceError) in
            guard resident.isInside(asset) else { throw .notFound }
            if waiting.isOver { return .ready(.abandoned) }
            return try thumbnail(
                request, target, address, asset, resident, isSigned: isSigned, since: waiting.arrival)
        }
    }

    private func thumbnail(
        _ request: ServiceRequest, _ target: ServiceTarget, _ address: ThumbnailAddress, _ asset: Asset,
        _ resident: Resident, isSigned: Bool, since arrival: MonotonicTime? = nil
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
        return try picture(
            order, PriorityHint(request.fields), resident, fields, unless: request.hasLeft, since: arrival)
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
}

extension ServiceResponse {
    /// The response with a note on where its picture came from.
    func from(_ origin: ServiceNotes.Origin) -> ServiceResponse {
        var response = self
        response.notes.origin = origin
        return response
    }
}
