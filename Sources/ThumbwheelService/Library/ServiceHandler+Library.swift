import Foundation
import Thumbwheel

extension ServiceHandler {
    /// Answers `/api/…`: what the gallery asks besides pictures.
    func library(
        _ request: ServiceRequest, _ target: ServiceTarget, _ notes: inout ServiceNotes
    ) throws(ServiceError) -> ServiceAnswer {
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
            return .ready(ServiceResponse(status: 204))
        default: throw .notFound
        }
    }

    // MARK: Lists

    /// Answers with a list: at once if it is kept, and otherwise from the tenant's queue, where each is made once, whoever
    /// asks for it meanwhile. Of a limited tenant not even the key is known without a walk over the library.
    ///
    /// - Parameters:
    ///   - isLong: Whether the response is work, too.
    ///   - key: Finds out which list is asked for.
    ///   - make: Makes the list.
    ///   - respond: Makes the response from it.
    private func answer(
        of resident: Resident, isLong: Bool = false, _ key: @escaping @Sendable () -> GridCache.Key,
        make: @escaping @Sendable () throws(ServiceError) -> [UInt8],
        _ respond: @escaping @Sendable (GridCache.Grid) throws(ServiceError) -> ServiceResponse
    ) throws(ServiceError) -> ServiceAnswer {
        if !isLong, !resident.library.isView, let grid = grids.kept(key()) { return .ready(try respond(grid)) }
        return try later(documents, resident.index) { [grids] _ throws(ServiceError) in
            .ready(try respond(try grids.grid(key(), make: make)))
        }
    }

    /// - Parameters:
    ///   - kind: The kind of albums of a list of them; nil for a grid.
    ///   - album: The name of the album that a grid shows; empty for the library.
    private func key(
        _ resident: Resident, albums kind: String? = nil, album: String = "", order: String = ""
    ) -> GridCache.Key {
        // The token is read before the fetch, so that the list is at least as new as its key says.
        let token = resident.library.currentChangeToken
        let hashMark = resident.hashMark
        var allowed: AccessDigest?
        if resident.library.isView {
            switch resident.library.access {
            case .full: break
            case .addOnly: allowed = AccessDigest([])
            case .limited(let identifiers): allowed = AccessDigest(identifiers)
            }
        }
        return GridCache.Key(
            tenant: resident.index, albums: kind, album: album, order: order, token: token, hashMark: hashMark,
            allowed: allowed)
    }

    /// Albums with cover and count: first the smart albums that have any assets, the whole library before all, then the albums.
    /// With `kind=moment`, the days on which assets were taken, newest first.
    private func albums(
        _ request: ServiceRequest, _ target: ServiceTarget, of resident: Resident
    ) throws(ServiceError) -> ServiceAnswer {
        try target.requireParameters(among: ["kind"])
        let kind = target.query["kind"] ?? ""
        guard ["", "moment"].contains(kind) else { throw .parameter }
        try checkQuota(of: resident)
        return try answer(of: resident) {
            key(resident, albums: kind)
        } make: { () throws(ServiceError) in
            Self.albums(kind, of: resident)
        } _: { list throws(ServiceError) in
            let response = ServiceResponse(
                status: 200, fields: ["content-type": "application/json", "cache-control": "no-store"])
            return compressed(response, list.plain, list.compressed, for: request)
        }
    }

    private static func albums(_ kind: String, of resident: Resident) -> [UInt8] {
        let library = resident.library
        let outsiders = resident.outsiders()
        let document = { (album: AssetCollection, kind: String) in
            AlbumDocument(album, kind: kind, resident, without: outsiders)
        }
        let documents: [AlbumDocument]
        if kind.isEmpty {
            let smart = library.fetchAssetCollections(with: .smartAlbum)
                .filter { !AlbumAddress.withheld.contains($0.assetCollectionSubtype) }
            let all = smart.filter { $0.assetCollectionSubtype == .smartAlbumUserLibrary }
            let others = smart.filter { $0.assetCollectionSubtype != .smartAlbumUserLibrary }
            documents =
                (all + others).compactMap { document($0, "smart") }
                + library.fetchAssetCollections(with: .album).compactMap { document($0, "album") }
        } else {
            documents = library.fetchAssetCollections(with: .moment).reversed()
                .compactMap { document($0, "moment") }
        }
        guard case .bytes(let bytes) = ServiceResponse(json: documents).body else { return [] }
        return bytes
    }

    /// One answer with all that a grid must know of its assets; see `GridDocument`. With the tag of an earlier one as `since`, perhaps only the
    /// difference; see `GridDelta`.
    private func grid(
        _ request: ServiceRequest, _ target: ServiceTarget, of resident: Resident
    ) throws(ServiceError) -> ServiceAnswer {
        try target.requireParameters(among: ["album", "order", "since"])
        guard let order = GridDocument.Order(rawValue: target.query["order"] ?? "newest") else { throw .parameter }
        let library = resident.library
        let name = target.query["album"] ?? ""
        return try answer(of: resident, isLong: target.query["since"] != nil) {
            key(resident, album: name, order: order.rawValue)
        } make: { () throws(ServiceError) in
            let album = name.isEmpty ? nil : AlbumAddress.album(name, in: library)
            guard name.isEmpty || album != nil else { throw .notFound }
            var options = FetchOptions()
            if order == .newest {
                options.sortDescriptors = [AssetSortDescriptor(.creationDate, ascending: false)]
            }
            let assets =
                album.map { library.fetchAssets(in: $0, options: options) } ?? library.fetchAssets(with: options)
            return GridDocument.bytes(assets, order, resident)
        } _: { grid throws(ServiceError) in
            let since = target.query["since"].flatMap { tag in
                grids.earlier(key(resident, album: name, order: order.rawValue), tag: tag)
            }
            return try response(request, resident, grid, since: since)
        }
    }

    private func response(
        _ request: ServiceRequest, _ resident: Resident, _ grid: GridCache.Grid, since earlier: GridCache.Grid?
    ) throws(ServiceError) -> ServiceResponse {
        let isCompressed = grid.compressed != nil && Self.takesGzip(request)
        // Each coding of a representation has a tag of its own.
        let tag = "\"\(grid.tag)\(isCompressed ? "z" : "")\""
        let fields: HTTPFields = [
            "etag": tag, "content-type": "application/octet-stream", "cache-control": "no-cache, private",
        ]
        switch Conditions(request.fields).outcome(tag) {
        case .failed: throw .precondition
        case .notModified:
            // With all fields that the 200 would have had for caches (RFC 9110, section 15.4.5).
            var response = ServiceResponse(status: 304, fields: fields)
            response.fields.add("vary", "accept-encoding")
            return response
        case .send: break
        }
        try checkQuota(of: resident)
        if let earlier, let delta = GridDelta.bytes(from: earlier.plain, to: grid.plain) {
            return compressed(
                ServiceResponse(status: 200, fields: fields), delta, GzipText.compressed(delta), for: request)
        }
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

    // MARK: Changes

    /// Events for as long as the client listens: one as it comes, one for each change of what the tenant sees, and now and then
    /// one for new placeholders. An event says that something has changed, and not what: the page asks for its grid again, and is
    /// told if it has it.
    private func events(of resident: Resident, isHead: Bool) throws(ServiceError) -> ServiceAnswer {
        let stream = ByteStream()
        let fields: HTTPFields = [
            "content-type": "text/event-stream", "cache-control": "no-store", "x-accel-buffering": "no",
        ]
        guard !isHead else { return .ready(ServiceResponse(status: 200, fields: fields)) }
        guard let place = streams.take(resident.index) else {
            throw .busy(retryAfter: configuration.retryAfterSeconds)
        }
        let feed = feeds[resident.index]
        let begin: @Sendable () -> ServiceAnswer = {
            stream.append("retry: 2000\n\n")
            // Its client asks for its lists once it is greeted, so it is told of all that changes afterwards.
            stream.keep((feed.add(stream), place))
            stream.send("hello", data: "{}")
            return .ready(ServiceResponse(status: 200, fields: fields, body: .events(stream)))
        }
        return resident.library.isView
            ? try later(documents, resident.index) { _ throws(ServiceError) in begin() } : begin()
    }

    // MARK: Favourites

    private struct FavoriteOrder: Decodable {
        var asset: String
        var favorite: Bool
    }

    /// Marks a photograph as a favourite, or no longer, for `{"asset":"…","favorite":true}`. Orders of one tenant take effect one
    /// after another, in the order in which they came, and each is answered once it has.
    private func favorite(
        _ request: ServiceRequest, of resident: Resident
    ) throws(ServiceError) -> ServiceAnswer {
        guard resident.tenant.allowsEditing else { throw .forbidden }
        guard request.body.count <= Self.favoriteByteLimit,
            let order = try? JSONDecoder().decode(FavoriteOrder.self, from: Data(request.body))
        else { throw .parameter }
        guard let asset = resident.asset(order.asset[...]) else { throw .notFound }
        return try later(documents, resident.index) { [favorites, configuration] _ throws(ServiceError) in
            guard resident.isInside(asset) else { throw .notFound }
            let pending = PendingResponse()
            // The order stands, whoever waits for its end.
            pending.stops { pending.finish(.abandoned) }
            let isIn = favorites.add(asset, order.favorite, of: resident) { isDone in
                pending.finish(
                    isDone
                        ? ServiceResponse(status: 200, json: ["favorite": order.favorite])
                        : ServiceError.conflict.response)
            }
            guard isIn else { throw .busy(retryAfter: configuration.retryAfterSeconds) }
            return .pending(pending)
        }
    }
}

extension ServiceRequest {
    /// Checks that the request is a POST of JSON that a page of the service itself has sent. Other sites' pages can send neither
    /// that type nor, from today's browsers, without saying where they come from.
    func requireJSON() throws(ServiceError) {
        guard method == "POST" else { throw .method(allowing: "POST") }
        let type = (fields["content-type"] ?? "").split(separator: ";").first?.lowercased()
        guard type == "application/json" || type == "application/x-ndjson" else { throw .notJSON }
        let site = fields["sec-fetch-site"] ?? "none"
        guard site == "same-origin" || site == "none" else { throw .forbidden }
    }
}
