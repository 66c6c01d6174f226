import Foundation
import TestSupport
import Testing
import Thumbwheel

@testable import ThumbwheelService

@Suite("A library over HTTP")
struct LibraryOverHTTPTests {
    @Test("a grid has every asset with its version, aspect ratio and hash, newest first, in sections by day")
    func grid() async throws {
        let library = PhotoLibrary()
        let day = 86_400.0
        let dates: [Double?] = [3.2 * day, 1 * day, nil, 3.9 * day]
        await library.add(
            dates.enumerated().map { number, date in
                Asset(
                    identifier: AssetIdentifier(high: 1, low: UInt64(number)),
                    head: ImageHead(contentType: .jpeg, storedSize: PixelSize(width: 400 + number, height: 200)),
                    resource: .bytes([]), fileSize: 1, originalFilename: "\(number).jpg",
                    creationDate: date.map { Date(timeIntervalSince1970: $0) }, isFavorite: number == 1,
                    thumbHash: number == 3 ? ThumbHash(base64Encoded: "3ucJLQR7d4SICHc4dneoh3mAkQcZ") : nil)
            })
        let manager = try ImageManager(configuration: ImageManager.Configuration { $0.watchesMemory = false })
        let handler = ServiceHandler(library: library, manager: manager, configuration: .unhurried)
        let response = await handler.response(to: ServiceRequest(target: "/api/grid"))
        let grid = try GridReading(response.bytes)
        #expect(grid.sections.map(\.day) == [3, 1, Int(Int32.min)] && grid.sections.map(\.count) == [2, 1, 1])
        #expect(grid.aspects == [2015, 2000, 2005, 2010] && grid.flags == [0, 0, 2, 0])
        #expect(grid.hashes.map(\.count) == [21, 0, 0, 0])
        #expect(Set(grid.addresses).count == 4)
    }

    @Test("a grid that has not changed is not sent again, and one that has is")
    func gridTags() async throws {
        let fixture = try await GalleryFixture()
        let handler = fixture.handler()
        let first = await handler.response(to: ServiceRequest(target: "/api/grid"))
        let tag = try #require(first.fields["etag"])
        let again = ServiceRequest(target: "/api/grid", fields: ["if-none-match": tag])
        #expect(await handler.response(to: again).status == 304)
        let asset = fixture.library.fetchAssets()[0]
        try await fixture.library.performChanges { try $0.edit(asset) { $0.isFavorite = true } }
        let changed = await handler.response(to: again)
        #expect(changed.status == 200 && changed.fields["etag"] != tag)
    }

    @Test("fifty thousand assets in one answer take no more than names, versions and hashes do")
    func compactness() async throws {
        let library = PhotoLibrary()
        let count = 50_000
        await library.add(
            (0..<count).map { number in
                Asset(
                    identifier: AssetIdentifier(high: UInt64(number), low: 7),
                    head: ImageHead(
                        contentType: .jpeg, storedSize: PixelSize(width: number % 3 == 0 ? 3000 : 4000, height: 3000)),
                    resource: .bytes([]), fileSize: 1, originalFilename: "\(number).jpg",
                    creationDate: Date(timeIntervalSince1970: Double(number) * 3600))
            })
        let manager = try ImageManager(configuration: ImageManager.Configuration { $0.watchesMemory = false })
        let handler = ServiceHandler(library: library, manager: manager, configuration: .unhurried)
        let request = ServiceRequest(target: "/api/grid", fields: ["accept-encoding": "gzip, br"])
        let response = await handler.response(to: request)
        #expect(response.fields["content-encoding"] == "gzip")
        // Names are 16 bytes and versions 6, which nothing compresses.
        let perAsset = Double(response.bytes.count) / Double(count)
        #expect(perAsset > 22 && perAsset < 24, "\(perAsset)")
        let plain = await handler.response(to: ServiceRequest(target: "/api/grid"))
        #expect(try GridReading(plain.bytes).addresses.count == count)
        #expect(plain.fields["etag"] != response.fields["etag"])
    }

    @Test("albums have title, count and cover; moments are days, the newest first")
    func albums() async throws {
        struct Row: Decodable {
            var kind: String
            var title: String
            var count: Int
            var cover: [String: String]?

            enum CodingKeys: CodingKey { case kind, title, count }
        }
        let fixture = try await GalleryFixture()
        let assets = Array(fixture.library.fetchAssets())
        try await fixture.library.performChanges { changes in
            let album = try changes.createAlbum(title: "Summer <b>")
            try changes.addAssets([assets[0], assets[2]], to: album)
        }
        let handler = fixture.handler()
        let response = await handler.response(to: ServiceRequest(target: "/api/albums"))
        let rows = try JSONDecoder().decode([Row].self, from: Data(response.bytes))
        #expect(rows.first?.kind == "smart" && rows.first?.count == 3)
        #expect(rows.last?.kind == "album" && rows.last?.title == "Summer <b>" && rows.last?.count == 2)
        #expect(response.text.contains("\"cover\":{"))
        #expect(await handler.response(to: ServiceRequest(target: "/api/albums?kind=x")).status == 400)
        #expect(await handler.response(to: ServiceRequest(target: "/api/albums?kind=moment")).status == 200)
    }

    @Test("a moment of the list has a grid, and a name that no collection has is 404")
    func moments() async throws {
        struct Row: Decodable {
            var album: String
            var count: Int
        }
        let library = PhotoLibrary()
        await library.add(
            [0.2, 0.3, 5.5].enumerated().map { number, day in
                Asset(
                    identifier: AssetIdentifier(high: 1, low: UInt64(number)),
                    head: ImageHead(contentType: .jpeg, storedSize: PixelSize(width: 400, height: 200)),
                    resource: .bytes([]), fileSize: 1, originalFilename: "\(number).jpg",
                    creationDate: Date(timeIntervalSince1970: day * 86_400))
            })
        let manager = try ImageManager(configuration: ImageManager.Configuration { $0.watchesMemory = false })
        let handler = ServiceHandler(library: library, manager: manager, configuration: .unhurried)
        let list = await handler.response(to: ServiceRequest(target: "/api/albums?kind=moment"))
        let rows = try JSONDecoder().decode([Row].self, from: Data(list.bytes))
        #expect(rows.reduce(0) { $0 + $1.count } == 3 && rows.count >= 2)
        for row in rows {
            let grid = await handler.response(to: ServiceRequest(target: "/api/grid?album=\(row.album)"))
            #expect(grid.status == 200)
            #expect(try GridReading(grid.bytes).addresses.count == row.count)
        }
        let unknown = await handler.response(to: ServiceRequest(target: "/api/grid?album=\(rows[0].album.dropLast(2))"))
        #expect(unknown.status == 404)
    }

    @Test("what is hidden, or in Recently Deleted, is shown at no address, whoever has its name")
    func hidden() async throws {
        let fixture = try await GalleryFixture(count: 3)
        let handler = fixture.handler { $0.secret = ServiceSecret(Array("sixteen bytes or more".utf8)) }
        func get(_ target: String) async -> ServiceResponse {
            await handler.response(to: ServiceRequest(target: target))
        }
        let before = try await fixture.addresses(handler)
        let assets = Array(fixture.library.fetchAssets())
        let names = assets.map { handler.residents.all[0].names.name(of: $0.identifier) }
        try await fixture.library.performChanges { changes in
            try changes.edit(assets[0]) { $0.isHidden = true }
            try changes.deleteAssets([assets[1]])
        }
        for subtype in [AssetCollection.Subtype.smartAlbumAllHidden, .smartAlbumRecentlyDeleted] {
            let album = try #require(fixture.library.fetchAssetCollections(with: .smartAlbum, subtype: subtype).first)
            #expect(fixture.library.countOfAssets(in: album) == 1)
            let response = await get("/api/grid?album=\(AlbumAddress.name(of: album))")
            #expect(response.status == 404 && response.errorName == "notFound")
        }
        for address in before {
            let isShown = address.contains(names[2])
            #expect(await get(address + "/64x64.jpg").status == (isShown ? 200 : 404))
            #expect(await get("/o" + address.dropFirst(2)).status == (isShown ? 200 : 404))
            let previews = await get("/api/previews?of=" + address.dropFirst(3).replacing("/", with: "."))
            if !isShown { #expect(previews.status == 200 && previews.bytes.isEmpty) }
        }
        for name in names.prefix(2) {
            let response = await handler.response(
                to: ServiceRequest(
                    method: "POST", target: "/api/favorite", fields: ["content-type": "application/json"],
                    body: Array("{\"asset\":\"\(name)\",\"favorite\":true}".utf8)))
            #expect(response.status == 404)
        }
        let (size, expiry) = (PixelSize(width: 64, height: 64), Date(timeIntervalSinceNow: 1000))
        #expect(handler.signedAddress(of: assets[0], size: size, until: expiry) == nil)
        #expect(handler.signedAddress(of: assets[2], size: size, until: expiry) != nil)
    }

    @Test("a favourite is marked, and those who listen are told")
    func favorites() async throws {
        let fixture = try await GalleryFixture()
        let handler = fixture.handler()
        let name = try await fixture.addresses(handler)[0].split(separator: "/")[1]
        let events = await handler.response(to: ServiceRequest(target: "/api/events"))
        guard case .events(let stream) = events.body else {
            Issue.record("no stream")
            return
        }
        #expect(
            stream.take().map { String(decoding: $0, as: UTF8.self) } == "retry: 2000\n\nevent: hello\ndata: {}\n\n")
        let response = await handler.response(
            to: ServiceRequest(
                method: "POST", target: "/api/favorite", fields: ["content-type": "application/json"],
                body: Array("{\"asset\":\"\(name)\",\"favorite\":true}".utf8)))
        #expect(response.status == 200)
        #expect(fixture.library.fetchAssets().filter(\.isFavorite).count == 1)
        await withCheckedContinuation { continuation in stream.whenReadable { continuation.resume() } }
        let event = try #require(stream.take().map { String(decoding: $0, as: UTF8.self) })
        #expect(event == "event: change\ndata: {\"transactions\":1}\n\n")
        #expect(fixture.library.fetchAssets().filter(\.isFavorite).count == 1)
        stream.close()
        #expect(stream.take() == nil)
    }

    @Test("orders of favourites take effect in their order, and each is answered once it has", .endsHangs)
    func manyFavorites() async throws {
        let fixture = try await GalleryFixture(count: 1)
        let handler = fixture.handler()
        let name = try await fixture.addresses(handler)[0].split(separator: "/")[1]
        var pending: [PendingResponse] = []
        for number in 0...100 {
            let request = ServiceRequest(
                method: "POST", target: "/api/favorite", fields: ["content-type": "application/json"],
                body: Array("{\"asset\":\"\(name)\",\"favorite\":\(number % 2 == 0)}".utf8))
            if case .pending(let each) = handler.answer(to: request) { pending.append(each) }
        }
        for each in pending {
            let response = await withCheckedContinuation { continuation in
                each.whenReady { continuation.resume(returning: $0) }
            }
            #expect(response.status == 200)
        }
        #expect(fixture.library.fetchAssets()[0].isFavorite)
    }

    @Test("a favourite that the library does not take is no success")
    func refusedFavorite() async throws {
        struct NoChanges: AccessPolicy {
            var access: LibraryAccess { .full }
            func allows(_ change: ProposedChange) -> Bool { false }
        }
        let fixture = try await GalleryFixture(count: 1)
        let handler = ServiceHandler(
            library: fixture.library.view(for: NoChanges()), manager: fixture.manager, configuration: .unhurried)
        let name = try await fixture.addresses(handler)[0].split(separator: "/")[1]
        let response = await handler.response(
            to: ServiceRequest(
                method: "POST", target: "/api/favorite", fields: ["content-type": "application/json"],
                body: Array("{\"asset\":\"\(name)\",\"favorite\":true}".utf8)))
        #expect(response.status == 409 && response.errorName == "notChanged")
        #expect(!fixture.library.fetchAssets()[0].isFavorite)
    }

    @Test("a placeholder that is made is in the next grid, and those who listen are told")
    func placeholders() async throws {
        let fixture = try await GalleryFixture(count: 1)
        let handler = fixture.handler()
        func hash() async throws -> [UInt8] {
            try GridReading(await handler.response(to: ServiceRequest(target: "/api/grid")).bytes).hashes[0]
        }
        let events = await handler.response(to: ServiceRequest(target: "/api/events"))
        guard case .events(let stream) = events.body else {
            Issue.record("no stream")
            return
        }
        _ = stream.take()
        #expect(try await hash().isEmpty)
        try await fixture.library.fetchAssets()[0].makeThumbHash()
        #expect(try await hash().count >= 19)
        handler.feeds[0].lookForPlaceholders()
        #expect(
            stream.take().map { String(decoding: $0, as: UTF8.self) } == "event: placeholders\ndata: {}\n\n")
        stream.close()
    }

    @Test("a list that nothing has changed is made once, and its 304 has the fields of its 200", .endsHangs)
    func keptLists() async throws {
        let fixture = try await GalleryFixture()
        let handler = fixture.handler()
        for target in ["/api/albums", "/api/grid"] {
            let request = ServiceRequest(target: target)
            var kept: ServiceResponse?
            // It comes at once, from what is kept, unless other tests have made placeholders meanwhile.
            while kept == nil {
                _ = await handler.response(to: request)
                if case .ready(let response) = handler.answer(to: request) { kept = response }
            }
            #expect(kept?.status == 200 && kept?.fields["vary"] == "accept-encoding")
        }
        let tag = try #require(await handler.response(to: ServiceRequest(target: "/api/grid")).fields["etag"])
        let same = await handler.response(to: ServiceRequest(target: "/api/grid", fields: ["if-none-match": tag]))
        #expect(same.status == 304 && same.fields["vary"] == "accept-encoding" && same.fields["etag"] == tag)
    }

    /// Makes a grid of an earlier one and the difference, as a page does.
    private func patched(_ old: [UInt8], _ delta: [UInt8]) -> [UInt8] {
        func number(_ bytes: [UInt8], _ start: Int) -> Int {
            (0..<4).reduce(0) { $0 | Int(bytes[start + $1]) << (8 * $1) }
        }
        let (count, sections) = (number(old, 4), number(old, 8))
        var bytes = Array("TWG1".utf8) + delta[4..<12]
        var (at, start) = (12, 12)
        for length in [8 * sections, 16 * count, 6 * count, 2 * count, count, count, Int.max] {
            let column = old[start..<min(old.count, length == .max ? old.count : start + length)]
            let (same, end, between) = (number(delta, at), number(delta, at + 4), number(delta, at + 8))
            bytes += column.prefix(same) + delta[at + 12..<at + 12 + between] + column.suffix(end)
            (at, start) = (at + 12 + between, start + column.count)
        }
        return bytes
    }

    @Test("of a grid that has changed, a page that has the one before is sent the difference")
    func differences() async throws {
        let fixture = try await GalleryFixture(count: 40)
        let handler = fixture.handler()
        func get(_ target: String, _ fields: HTTPFields = [:]) async -> ServiceResponse {
            await handler.response(to: ServiceRequest(target: target, fields: fields))
        }
        var before = await get("/api/grid")
        let changes: [() async throws -> Void] = [
            { try await fixture.library.fetchAssets()[7].makeThumbHash() },
            {
                let asset = fixture.library.fetchAssets()[30]
                try await fixture.library.performChanges { try $0.edit(asset) { $0.isFavorite = true } }
            },
            {
                try fixture.folder.write("another.jpg", try GalleryFixture.photograph(77))
                try await fixture.library.importFolder(at: fixture.folder.path)
            },
            {
                let gone = Array(fixture.library.fetchAssets().prefix(2))
                try await fixture.library.performChanges { try $0.deleteAssets(gone) }
            },
        ]
        for (number, change) in changes.enumerated() {
            let tag = try #require(before.fields["etag"])
            let since = "/api/grid?since=" + tag.filter { $0 != "\"" }
            #expect(await get(since, ["if-none-match": tag]).status == 304)
            try await change()
            let delta = await get(since, ["if-none-match": tag])
            let whole = await get("/api/grid")
            #expect(delta.bytes.starts(with: "TWD1".utf8) && delta.bytes.count < 300, "\(number)")
            #expect(patched(before.bytes, delta.bytes) == whole.bytes, "\(number)")
            #expect(delta.fields["etag"] == whole.fields["etag"])
            before = whole
        }
        // A page that has something else gets all.
        #expect(await get("/api/grid?since=nothing").bytes == before.bytes)
    }

    @Test("originals come whole or by range, with the conditions of RFC 9110")
    func originals() async throws {
        let fixture = try await GalleryFixture(count: 1)
        let handler = fixture.handler { $0.roots = [fixture.folder.path] }
        let target = "/o" + (try await fixture.addresses(handler)[0].dropFirst(2))
        let bytes = try GalleryFixture.photograph(0)
        let whole = await handler.response(to: ServiceRequest(target: target))
        #expect(whole.status == 200 && whole.bytes == bytes && whole.fields["accept-ranges"] == "bytes")
        let tag = try #require(whole.fields["etag"])
        let modified = try #require(whole.fields["last-modified"])
        func get(_ fields: HTTPFields) async -> ServiceResponse {
            await handler.response(to: ServiceRequest(target: target, fields: fields))
        }
        for (range, expected) in [
            ("bytes=0-9", bytes[0..<10]), ("bytes=5-", bytes[5...]), ("bytes=-7", bytes.suffix(7)),
            ("bytes=10-99999999", bytes[10...]),
        ] {
            let response = await get(["range": range])
            #expect(response.status == 206 && response.bytes == Array(expected), "\(range)")
            let first = bytes.count - expected.count
            #expect(response.fields["content-range"]?.hasSuffix("/\(bytes.count)") == true && first >= 0)
        }
        for ignored in ["bytes=0-1,3-4", "lines=1-2", "bytes=9-3", "bytes=-", "bytes=x-1"] {
            #expect(await get(["range": ignored]).status == 200, "\(ignored)")
        }
        let beyond = await get(["range": "bytes=\(bytes.count)-"])
        #expect(beyond.status == 416 && beyond.fields["content-range"] == "bytes */\(bytes.count)")
        #expect(await get(["range": "bytes=0-9", "if-range": tag]).status == 206)
        #expect(await get(["range": "bytes=0-9", "if-range": "\"other\""]).status == 200)
        #expect(await get(["range": "bytes=0-9", "if-range": modified]).status == 206)
        #expect(await get(["if-none-match": tag]).status == 304)
        #expect(await get(["if-modified-since": modified]).status == 304)
        #expect(await get(["if-modified-since": modified, "if-none-match": "\"other\""]).status == 200)
        for date in ["Thu, 01 Jan 1970 00:00:00 GMT", "Wed, 31 Dec 1969 23:59:59 GMT", "Sat, 01 Jan 0001 00:00:00 GMT"]
        {
            #expect(await get(["if-unmodified-since": date]).status == 412, "\(date)")
        }
    }

    @Test("a file that was written again is delivered under no version that the library knows")
    func changedOriginals() async throws {
        let fixture = try await GalleryFixture(count: 1)
        let handler = fixture.handler { $0.secret = ServiceSecret(Array("sixteen bytes or more".utf8)) }
        let path = fixture.folder.path + "/photo-0.jpg"
        func get(_ target: String) async -> ServiceResponse {
            await handler.response(to: ServiceRequest(target: target))
        }
        for number in 1...2 {
            let target = "/o" + (try await fixture.addresses(handler)[0].dropFirst(2))
            let signed = try #require(handler.signer).signed(
                target, [:], tenant: "everybody", expiry: Int(Date().timeIntervalSince1970) + 1000)
            #expect(await get(target).status == 200)
            #expect(await get(signed).status == 200)
            if number == 1 {
                try fixture.folder.write("photo-0.jpg", try GalleryFixture.photograph(5))
            } else {
                // The same length at another time.
                let date = Date(timeIntervalSinceNow: -5000)
                try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: path)
            }
            let changed = await get(target)
            #expect(changed.status == 404 && changed.fields["cache-control"] == "no-store")
            let gone = await get(signed)
            #expect(gone.status == 410 && gone.fields["cache-control"] == "no-store")
            try await fixture.library.importFolder(at: fixture.folder.path)
        }
    }

    @Test("originals are read ahead by no proxy")
    func unbufferedOriginals() async throws {
        let fixture = try await GalleryFixture(count: 1)
        let handler = fixture.handler()
        let target = "/o" + (try await fixture.addresses(handler)[0].dropFirst(2))
        for fields in [HTTPFields(), ["range": "bytes=0-9"]] {
            let response = await handler.response(to: ServiceRequest(target: target, fields: fields))
            #expect(response.fields["x-accel-buffering"] == "no")
        }
    }

    @Test("lists are kept within a bound of bytes, which the tenant with most of them pays for")
    func boundOfLists() throws {
        let cache = GridCache(tenantCount: 2, byteLimit: 1000)
        let token = PhotoLibrary().currentChangeToken
        func key(_ tenant: Int, _ album: String) -> GridCache.Key {
            GridCache.Key(
                tenant: tenant, album: album, order: "", token: token, hashMark: HashMark(keptCount: 0), allowed: nil)
        }
        func add(_ key: GridCache.Key, _ count: Int) throws {
            // Random bytes cannot be compressed.
            _ = try cache.grid(key) { () throws(ServiceError) in (0..<count).map { _ in .random(in: .min ... .max) } }
        }
        try add(key(1, "a"), 300)
        for album in ["a", "b", "c"] { try add(key(0, album), 300) }
        #expect(cache.kept(key(1, "a")) != nil && cache.kept(key(0, "a")) == nil)
        #expect(cache.kept(key(0, "b")) != nil && cache.kept(key(0, "c")) != nil && cache.byteCount == 900)
        try add(key(1, "large"), 5000)
        #expect(cache.kept(key(1, "large")) != nil && cache.byteCount == 5000)
    }

    @Test("dates are read in the three forms that HTTP has had")
    func formerDates() {
        let now = 1_790_000_000
        for text in [
            "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
        ] {
            #expect(HTTPDate.seconds(text, now: now) == 784_111_777, "\(text)")
        }
        // In 2026, a year of two digits lies at most fifty years ahead.
        #expect(
            HTTPDate.seconds("Friday, 06-Nov-76 00:00:00 GMT", now: now)
                == HTTPDate.seconds("Fri, 06 Nov 2076 00:00:00 GMT"))
        #expect(
            HTTPDate.seconds("Sunday, 06-Nov-77 00:00:00 GMT", now: now)
                == HTTPDate.seconds("Sun, 06 Nov 1977 00:00:00 GMT"))
        for text in ["Sunday, 06-Nov-194 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37", "Sun Nov 6 08:49 1994"] {
            #expect(HTTPDate.seconds(text, now: now) == nil, "\(text)")
        }
    }

    @Test("dates are written and read as HTTP has them")
    func dates() {
        #expect(HTTPDate.text(784_111_777) == "Sun, 06 Nov 1994 08:49:37 GMT")
        #expect(HTTPDate.text(951_782_400) == "Tue, 29 Feb 2000 00:00:00 GMT")
        for day in stride(from: -700_000, through: 40_000, by: 13) {
            let seconds = day * 86_400 + abs(day) % 86_400
            #expect(HTTPDate.seconds(HTTPDate.text(seconds)) == seconds)
        }
        for text in ["", "yesterday", "Sun, 06 Nov 1994 25:49:37 GMT", "Sun, 06 Foo 1994 08:49:37 GMT"] {
            #expect(HTTPDate.seconds(text) == nil)
        }
    }

    @Test("a service is ready once it is told so")
    func readiness() async throws {
        let handler = try await GalleryFixture(count: 0).handler()
        #expect(await handler.response(to: ServiceRequest(target: "/readyz")).status == 503)
        handler.setReady(true)
        #expect(await handler.response(to: ServiceRequest(target: "/readyz")).status == 200)
        #expect(await handler.response(to: ServiceRequest(target: "/healthz")).status == 200)
    }
}
