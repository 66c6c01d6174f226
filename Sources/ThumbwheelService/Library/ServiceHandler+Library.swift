import Foundation
import Thumbwheel
import ThumbwheelLocks

extension ServiceHandler {
    /// Answers `/api/…`: what the gallery asks besides pictures.
    func library(
        _ request: ServiceRequest, _ target: ServiceTarget, _ notes: inout ServiceNotes
    ) throws(ServiceError) -> ServiceResponse {
        switch target.segments[1] {
        case "albums":
            try request.requireReading()
            return try albums(request, target, of: try resident(of: request, &notes))
        case "grid":
            try request.requireReading()
            return try grid(request, target, of: try resident(of: request, &notes))
        case "events":
            try request.requireReading()
            notes.route = .events
            return try events(of: try resident(of: request, &notes), isHead: request.isHead)
        case "favorite":
            try request.requireJSON()
            return try favorite(request, of: try resident(of: request, &notes))
        case "trace":
            try request.requireJSON()
            _ = try resident(of: request, &notes)
            guard let handler = configuration.traceHandler else { throw .notFound }
            handler(request.body)
            return ServiceResponse(status: 204)
        default: throw .notFound
        }
    }

    /// Albums with cover and count: first the smart albums that have any assets, the whole library before all, then the albums.
    /// With `kind=moment`, the days on which assets were taken, newest first.
    private func albums(
        _ request: ServiceRequest, _ target: ServiceTarget, of resident: Resident
    ) throws(ServiceError) -> ServiceResponse {
        let library = resident.library
        let outsiders = resident.outsiders()
        let document = { (album: AssetCollection, kind: String) in
            AlbumDocument(album, kind: kind, resident, without: outsiders)
        }
        let documents: [AlbumDocument]
        switch target.query["kind"] {
        case nil:
            let leftOut: Set<AssetCollection.Subtype> = [.smartAlbumAllHidden, .smartAlbumRecentlyDeleted]
            let smart = library.fetchAssetCollections(with: .smartAlbum)
                .filter { !leftOut.contains($0.assetCollectionSubtype) }
            let all = smart.filter { $0.assetCollectionSubtype == .smartAlbumUserLibrary }
            let others = smart.filter { $0.assetCollectionSubtype != .smartAlbumUserLibrary }
            documents =
                (all + others).compactMap { document($0, "smart") }
                + library.fetchAssetCollections(with: .album).compactMap { document($0, "album") }
        case "moment":
            documents = library.fetchAssetCollections(with: .moment).reversed()
                .compactMap { document($0, "moment") }
        default: throw .parameter
        }
        var response = ServiceResponse(json: documents)
        if case .bytes(let bytes) = response.body {
            response = compressed(response, bytes, GzipText.compressed(bytes), for: request)
        }
        return response
    }

    /// One answer with all that a grid must know of its assets; see `GridDocument`.
    private func grid(
        _ request: ServiceRequest, _ target: ServiceTarget, of resident: Resident
    ) throws(ServiceError) -> ServiceResponse {
        guard let order = GridDocument.Order(rawValue: target.query["order"] ?? "newest") else { throw .parameter }
        let library = resident.library
        let name = target.query["album"] ?? ""
        let album = AlbumAddress.album(name, in: library)
        guard name.isEmpty || album != nil else { throw .notFound }
        // The token is read before the fetch, so that the grid is at least as new as its key says.
        let key = GridCache.Key(
            tenant: resident.index, album: name, order: order.rawValue, token: library.currentChangeToken,
            hashEpoch: metrics.renderCount / 64)
        let make: () -> [UInt8] = {
            var options = FetchOptions()
            if order == .newest { options.sortDescriptors = [AssetSortDescriptor(.creationDate, ascending: false)] }
            let assets =
                album.map { library.fetchAssets(in: $0, options: options) } ?? library.fetchAssets(with: options)
            return GridDocument.bytes(assets, order, resident)
        }
        // A policy may allow other assets without any transaction, so a limited view's grid is made each time.
        let grid: GridCache.Grid
        if resident.seesAll { grid = grids.grid(key, make: make) } else { grid = GridCache.Grid(make()) }
        let isCompressed = grid.compressed != nil && Self.takesGzip(request)
        // Each coding of a representation has a tag of its own.
        let tag = "\"\(grid.tag)\(isCompressed ? "z" : "")\""
        let fields: HTTPFields = [
            "etag": tag, "content-type": "application/octet-stream", "cache-control": "no-cache, private",
        ]
        switch Conditions(request.fields).outcome(tag) {
        case .failed: throw .precondition
        case .notModified: return ServiceResponse(status: 304, fields: fields)
        case .send: break
        }
        try checkQuota(of: resident)
        return compressed(ServiceResponse(status: 200, fields: fields), grid.plain, grid.compressed, for: request)
    }

    /// Gives a response the coding of its bytes that the client takes.
    private func compressed(
        _ response: ServiceResponse, _ plain: [UInt8], _ compressed: [UInt8]?, for request: ServiceRequest
    ) -> ServiceResponse {
        var response = response
        response.fields.add("vary", "accept-encoding")
        guard let compressed, Self.takesGzip(request) else {
            response.body = .bytes(plain)
            return response
        }
        response.fields.add("content-encoding", "gzip")
        response.body = .bytes(compressed)
        return response
    }

    private static func takesGzip(_ request: ServiceRequest) -> Bool {
        let codings = request.fields.list("accept-encoding")?.split(separator: ",").prefix(16) ?? []
        return codings.contains { coding in
            let parts = coding.filter { $0 != " " }.split(separator: ";")
            guard parts.first == "gzip" else { return false }
            return parts.count < 2 || Double(parts[1].dropFirst(2)).map { $0 > 0 } ?? false
        }
    }

    /// Events for as long as the client listens: one as it comes, and one for each change of what the tenant sees. An event
    /// says that something has changed, and not what: the page asks for its grid again, and is told if it has it.
    private func events(of resident: Resident, isHead: Bool) throws(ServiceError) -> ServiceResponse {
        let stream = ByteStream()
        let fields: HTTPFields = [
            "content-type": "text/event-stream", "cache-control": "no-store", "x-accel-buffering": "no",
        ]
        guard !isHead else { return ServiceResponse(status: 200, fields: fields) }
        guard let place = streams.take(resident.index) else {
            throw .busy(retryAfter: configuration.retryAfterSeconds)
        }
        stream.keep((observation(of: resident, by: stream), place))
        stream.append("retry: 2000\n\n")
        stream.send("hello", data: "{}")
        return ServiceResponse(status: 200, fields: fields, body: .events(stream))
    }

    /// Has a stream told of changes. A library tells a limited view of each transaction, and its observer must find out whether
    /// there is anything to see: when others change something, and how often, is nothing that a limited tenant may learn.
    private func observation(of resident: Resident, by stream: ByteStream) -> ChangeObservation {
        guard !resident.seesAll else {
            return resident.library.observeChanges { [weak stream] change in
                stream?.send("change", data: "{\"transactions\":\(change.transactionCount)}")
            }
        }
        let seen = Mutex(VisibleContents(resident))
        return resident.library.observeChanges { [weak stream] _ in
            let now = VisibleContents(resident)
            let isChanged = seen.withLock { seen in
                defer { seen = now }
                return seen != now
            }
            if isChanged { stream?.send("change", data: "{}") }
        }
    }

    private struct FavoriteOrder: Decodable {
        var asset: String
        var favorite: Bool
    }

    /// Marks a photograph as a favourite, or no longer, for `{"asset":"…","favorite":true}`.
    private func favorite(_ request: ServiceRequest, of resident: Resident) throws(ServiceError) -> ServiceResponse {
        guard resident.tenant.allowsEditing else { throw .forbidden }
        guard request.body.count <= Self.favoriteByteLimit,
            let order = try? JSONDecoder().decode(FavoriteOrder.self, from: Data(request.body))
        else { throw .parameter }
        guard let asset = resident.asset(order.asset[...]) else { throw .notFound }
        let library = resident.library
        // The handler must not wait for other transactions; the page learns of the change by its event.
        Task { try? await library.performChanges { try $0.edit(asset) { $0.isFavorite = order.favorite } } }
        return ServiceResponse(status: 202, json: ["favorite": order.favorite])
    }
}

extension ServiceRequest {
    /// Checks that the request is a POST of JSON that a page of the service itself has sent. Other sites' pages can send neither
    /// that type nor, from today's browsers, without saying where they come from.
    fileprivate func requireJSON() throws(ServiceError) {
        guard method == "POST" else { throw .method(allowing: "POST") }
        let type = (fields["content-type"] ?? "").split(separator: ";").first?.lowercased()
        guard type == "application/json" || type == "application/x-ndjson" else { throw .notJSON }
        let site = fields["sec-fetch-site"] ?? "none"
        guard site == "same-origin" || site == "none" else { throw .forbidden }
    }
}
