import Thumbwheel
import ThumbwheelCore

extension ServiceHandler {
    /// Answers `/o/{asset}/{version}`: the bytes of the file that the asset shows, or a range of them.
    func original(
        _ request: ServiceRequest, _ target: ServiceTarget, _ notes: inout ServiceNotes
    ) throws(ServiceError) -> ServiceAnswer {
        let (resident, isSigned) = try resident(of: request, target, &notes)
        try target.requireParameters(among: [], isSigned: isSigned)
        guard let asset = resident.asset(target.segments[1]) else { throw .notFound }
        return try later(files, resident.folderPlace(of: asset)) { _ throws(ServiceError) in
            .ready(try original(request, target, asset, resident, isSigned: isSigned))
        }
    }

    /// Opens the file, which may wait for a disk.
    private func original(
        _ request: ServiceRequest, _ target: ServiceTarget, _ asset: Asset, _ resident: Resident, isSigned: Bool
    ) throws(ServiceError) -> ServiceResponse {
        guard resident.isInside(asset) else { throw .notFound }
        let version = resident.names.version(of: asset)
        let former = isSigned ? ServiceError.gone : .notFound
        guard target.segments[2] == version else { throw former }
        let (source, modified) = try Self.bytes(of: asset, roots: resident.roots)
        // Bytes that are newer than the version must not be kept as that version's, or be joined to parts of it.
        if let file = source as? OpenFile, !asset.isUnchanged(file.source) { throw former }
        let tag = "\"o" + version + "\""
        let isPublic = isSigned || resident.tenant.tokens.isEmpty
        var fields: HTTPFields = [
            "etag": tag, "accept-ranges": "bytes", "content-type": asset.contentType.rawValue,
            "cache-control": cacheControl(target, isPublic: isPublic, isSigned: isSigned),
            "content-security-policy": "default-src 'none'; sandbox",
            // A proxy that read ahead would take up to a whole video for each part of it that a client asks for, and these
            // bytes would count against the tenant's quota.
            "x-accel-buffering": "no",
        ]
        if let modified { fields.add("last-modified", HTTPDate.text(modified)) }
        let conditions = Conditions(request.fields)
        switch conditions.outcome(tag, modified: modified) {
        case .failed: throw .precondition
        case .notModified: return ServiceResponse(status: 304, fields: fields)
        case .send: break
        }
        try checkQuota(of: resident)
        // Only GET has ranges (RFC 9110, section 14.2).
        let field =
            request.isHead || !conditions.allowsRange(tag, modified: modified) ? nil : request.fields.list("range")
        switch ByteRangeRequest(field, of: source.byteCount) {
        case .all: return ServiceResponse(status: 200, fields: fields, body: .source(source, 0..<source.byteCount))
        case .part(let range):
            fields.add("content-range", "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(source.byteCount)")
            return ServiceResponse(status: 206, fields: fields, body: .source(source, range))
        case .unsatisfiable:
            throw ServiceError(
                status: 416, name: "rangeNotSatisfiable", message: "the range lies behind the end",
                fields: ["content-range": "bytes */\(source.byteCount)"])
        }
    }

    /// Opens the bytes that an asset shows.
    private static func bytes(
        of asset: Asset, roots: FolderRoots?
    ) throws(ServiceError) -> (source: any ByteSource, modified: Int?) {
        let resource = asset.resource
        if let path = resource.filePath {
            let file = try OpenFile(path: path, roots: roots)
            return (file, file.modificationTime)
        }
        // A provider that needs a network would keep the calling thread waiting.
        guard resource.isLocallyAvailable else { throw .elsewhere }
        do throws(ByteSourceError) {
            return (try resource.open(), nil)
        } catch {
            throw .opening(error)
        }
    }
}
