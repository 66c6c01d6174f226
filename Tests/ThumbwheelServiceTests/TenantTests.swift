import Foundation
import TestSupport
import Testing
import Thumbwheel
import ThumbwheelLocks

@testable import ThumbwheelService

@Suite("Tenants of a service")
struct TenantTests {
    private struct Only: AccessPolicy {
        let identifiers: Set<AssetIdentifier>
        var access: LibraryAccess { .limited(to: identifiers) }
    }

    private let secret = ServiceSecret(Array("sixteen bytes or more".utf8))

    private func handler(
        _ fixture: GalleryFixture, deadline: Duration? = nil, now: @escaping @Sendable () -> Date = { Date() }
    ) -> ServiceHandler {
        let assets = Array(fixture.library.fetchAssets())
        let ann = fixture.library.view(for: Only(identifiers: [assets[0].identifier, assets[1].identifier]))
        let bob = fixture.library.view(for: Only(identifiers: [assets[2].identifier, assets[1].identifier]))
        return ServiceHandler(
            tenants: [
                ServiceTenant(name: "ann", tokens: ["token-of-ann-1234"], library: ann),
                ServiceTenant(name: "bob", tokens: ["token-of-bob-1234"], library: bob, dailyByteLimit: 60),
            ], manager: fixture.manager,
            configuration: ServiceHandler.Configuration {
                $0.deadline = deadline
                $0.secret = secret
                $0.placeholderInterval = nil
            }, now: now)
    }

    private func get(_ handler: ServiceHandler, _ target: String, as name: String?) async -> ServiceResponse {
        var fields = HTTPFields()
        if let name { fields.add("authorization", "Bearer token-of-\(name)-1234") }
        return await handler.response(to: ServiceRequest(target: target, fields: fields))
    }

    @Test("each sees its own view, and another's addresses are 404")
    func views() async throws {
        let fixture = try await GalleryFixture()
        let handler = handler(fixture)
        let ann = try GridReading(await get(handler, "/api/grid", as: "ann").bytes).addresses
        let bob = try GridReading(await get(handler, "/api/grid", as: "bob").bytes).addresses
        #expect(ann.count == 2 && bob.count == 2)
        // One photograph is both's, and has another name and another version for each.
        let segments = (ann + bob).flatMap { $0.split(separator: "/").dropFirst() }
        #expect(Set(segments).count == 8)
        for address in bob {
            let response = await get(handler, address + "/64x64.jpg", as: "ann")
            #expect(response.status == 404 && response.errorName == "notFound")
            #expect(await get(handler, "/o" + address.dropFirst(2), as: "ann").status == 404)
        }
        for address in ann { #expect(await get(handler, address + "/64x64.jpg", as: "ann").status == 200) }
    }

    @Test("without a token, or with a wrong one, there is nothing but the page and the health")
    func tokens() async throws {
        let fixture = try await GalleryFixture()
        let handler = handler(fixture)
        let address = try GridReading(await get(handler, "/api/grid", as: "ann").bytes).addresses[0]
        for target in ["/api/albums", "/api/grid", "/api/events", address + "/64x64.jpg", "/metrics"] {
            for name in [nil, "eve"] {
                let response = await get(handler, target, as: name)
                #expect(response.status == 401 && response.errorName == "unauthorized", "\(target)")
                #expect(response.fields["www-authenticate"] != nil)
            }
        }
        #expect(await get(handler, "/healthz", as: nil).status == 200)
        let entering = await get(handler, "/?token=token-of-ann-1234", as: nil)
        #expect(entering.status == 303 && entering.fields["location"] == "/")
        let cookie = try #require(entering.fields["set-cookie"]?.split(separator: ";").first)
        let request = ServiceRequest(target: "/api/grid", fields: ["cookie": "a=b; \(cookie)"])
        #expect(await handler.response(to: request).status == 200)
        #expect(await get(handler, "/?token=token-of-eve-1234", as: nil).status == 401)
        // What came by TLS is not to be sent without it.
        for (scheme, isSecure) in [("https", true), ("http", false)] {
            let fields: HTTPFields = ["x-forwarded-proto": scheme]
            let response = await handler.response(
                to: ServiceRequest(target: "/?token=token-of-ann-1234", fields: fields))
            let attributes = response.fields["set-cookie"]?.split(separator: "; ") ?? []
            #expect(attributes.contains("Secure") == isSecure && attributes.contains("HttpOnly"))
        }
    }

    @Test("the part of a folder that a tenant sees follows the library, by what has changed alone")
    func foldersOfTenants() async throws {
        let folder = try ScratchFolder()
        for name in ["ann", "ann/inner", "bob"] {
            try FileManager.default.createDirectory(
                atPath: folder.path + "/" + name, withIntermediateDirectories: false)
        }
        for number in 0..<6 {
            let name = ["ann", "ann/inner", "bob"][number % 3]
            try folder.write("\(name)/\(number).jpg", try GalleryFixture.photograph(number))
        }
        let library = PhotoLibrary()
        try await library.importFolder(at: folder.path)
        let policies = ["ann", "bob"].map { FolderPolicy(folder.path + "/" + $0, of: library) }
        func identifiers(_ policy: FolderPolicy) -> Set<AssetIdentifier> {
            if case .limited(let identifiers) = policy.access { identifiers } else { [] }
        }
        func count(_ number: Int) -> Int { identifiers(policies[number]).count }
        func move(_ one: String, _ other: String) async throws {
            try FileManager.default.moveItem(atPath: folder.path + "/" + one, toPath: folder.path + "/" + other)
            try await library.importFolder(at: folder.path)
        }
        func checkAll() {
            for (name, policy) in zip(["ann", "bob"], policies) {
                #expect(identifiers(policy) == identifiers(FolderPolicy(folder.path + "/" + name, of: library)))
                #expect(policy.walkCount == 1)
            }
        }
        #expect(count(0) == 4 && count(1) == 2)
        let steps: [(ann: Int, bob: Int, step: () async throws -> Void)] = [
            (
                4, 2,
                { try await library.performChanges { try $0.edit(library.fetchAssets()[0]) { $0.isFavorite = true } } }
            ),
            (3, 3, { try await move("ann/0.jpg", "bob/0.jpg") }),
            (4, 2, { try await move("bob/2.jpg", "ann/inner/2.jpg") }),
            (
                4, 3,
                {
                    try folder.write("bob/new.jpg", try GalleryFixture.photograph(50))
                    try await library.importFolder(at: folder.path)
                }
            ),
            (
                3, 3,
                {
                    try FileManager.default.removeItem(atPath: folder.path + "/ann/3.jpg")
                    try await library.importFolder(at: folder.path)
                }
            ),
            (
                3, 2,
                {
                    let gone = library.fetchAssets().first { $0.resource.filePath?.hasSuffix("new.jpg") ?? false }
                    try await library.performChanges { try $0.deleteAssets([try #require(gone)]) }
                }
            ),
        ]
        for (ann, bob, step) in steps {
            try await step()
            #expect(count(0) == ann && count(1) == bob)
            checkAll()
        }
    }

    @Test(
        "a thread of a socket walks over no library after many changes, and has the earlier answer until that is done",
        .endsHangs)
    func manyChanges() async throws {
        let folder = try ScratchFolder()
        try folder.write("ann/0.jpg", try GalleryFixture.photograph(0))
        let library = PhotoLibrary()
        try await library.importFolder(at: folder.path)
        let policy = FolderPolicy(folder.path + "/ann", of: library, changeLimit: 1)
        func count() -> Int { if case .limited(let identifiers) = policy.access { identifiers.count } else { -1 } }
        func add(_ numbers: ClosedRange<Int>) async throws {
            for number in numbers { try folder.write("ann/\(number).jpg", try GalleryFixture.photograph(number)) }
            try await library.importFolder(at: folder.path)
        }
        try await add(1...1)
        #expect(count() == 2 && policy.walkCount == 1)
        try await add(2...4)
        #expect(count() == 2)
        while count() == 2 { await Task.yield() }
        #expect(count() == 5)
        // Lists are never older than the library.
        try await add(5...7)
        #expect(FolderPolicy.$mayWalk.withValue(true) { count() } == 8 && count() == 8)
    }

    @Test("two sets of assets have the same digest if they are equal")
    func digests() {
        let identifiers = (0..<1000).map { AssetIdentifier(high: $0 / 10, low: $0) }
        let all = AccessDigest(Set(identifiers))
        #expect(AccessDigest(Set(identifiers.reversed())) == all)
        for number in 0..<1000 {
            var other = Set(identifiers)
            other.remove(identifiers[number])
            #expect(AccessDigest(other) != all)
            other.insert(AssetIdentifier(high: UInt64(number), low: 1000))
            #expect(AccessDigest(other) != all)
        }
    }

    @Test("a signed address needs no token, gets its own size, and cannot be changed")
    func signatures() async throws {
        let fixture = try await GalleryFixture()
        let time = Mutex(Date(timeIntervalSince1970: 1_000_000))
        let handler = handler(fixture, now: { time.withLock { $0 } })
        let asset = Array(fixture.library.fetchAssets())[0]
        let expiry = Date(timeIntervalSince1970: 1_000_100)
        let address = try #require(
            handler.signedAddress(of: asset, size: PixelSize(width: 77, height: 55), tenant: "ann", until: expiry))
        let response = await get(handler, address, as: nil)
        #expect(response.status == 200)
        let head = try ImageHead(reading: MemoryByteSource(response.bytes))
        #expect(head.storedSize == PixelSize(width: 77, height: 55))
        for forged in [
            address.replacing("77x55", with: "78x55"), address.replacing("tenant=ann", with: "tenant=bob"),
            address.replacing("expires=1000100", with: "expires=1000200"),
            address.replacing("signature=", with: "signature=A"),
            String(address.dropLast()),
        ] {
            let response = await get(handler, forged, as: nil)
            #expect(response.status == 403 && response.errorName == "invalidSignature", "\(forged)")
        }
        // Nobody may keep the picture for longer than its address is answered.
        #expect(response.fields["cache-control"] == "public, max-age=100")
        time.withLock { $0 = expiry + 1 }
        #expect(await get(handler, address, as: nil).status == 403)
        #expect(handler.signedAddress(of: asset, size: .zero, tenant: "nobody", until: expiry) == nil)
    }

    @Test("without a secret nothing can be signed, and all signatures are refused")
    func noSecret() async throws {
        let fixture = try await GalleryFixture(count: 1)
        let handler = fixture.handler()
        let asset = fixture.library.fetchAssets()[0]
        let size = PixelSize(width: 77, height: 55)
        let expiry = Date(timeIntervalSinceNow: 1000)
        #expect(handler.signedAddress(of: asset, size: size, until: expiry) == nil)
        // What the source says about keys must not be enough to sign.
        let address = try await fixture.addresses(handler)[0]
        for guess in ["thumbwheel without a secret", "names that hide nothing", ""] {
            let signed = AddressSigner(ServiceSecret(key: Array(guess.utf8))).signed(
                address + "/77x55.jpg", [:], tenant: "everybody", expiry: Int(expiry.timeIntervalSince1970))
            let response = await get(handler, signed, as: nil)
            #expect(response.status == 403 && response.errorName == "invalidSignature")
        }
        #expect(try await fixture.addresses(fixture.handler()) == [address])
    }

    @Test("a limited tenant is told of changes that it sees, without a count, and of no others'")
    func limitedChanges() async throws {
        let fixture = try await GalleryFixture()
        let handler = handler(fixture)
        let assets = Array(fixture.library.fetchAssets())
        guard case .events(let stream) = await get(handler, "/api/events", as: "bob").body else {
            Issue.record("no stream")
            return
        }
        _ = stream.take()
        func favor(_ number: Int, _ isFavorite: Bool) async throws {
            try await fixture.library.performChanges { try $0.edit(assets[number]) { $0.isFavorite = isFavorite } }
        }
        // Only ann sees the first photograph; bob sees the third.
        try await favor(0, true)
        try await fixture.library.performChanges { changes in
            try changes.addAssets([assets[0]], to: try changes.createAlbum(title: "Ann's"))
        }
        try await favor(2, true)
        await withCheckedContinuation { continuation in stream.whenReadable { continuation.resume() } }
        let event = stream.take().map { String(decoding: $0, as: UTF8.self) }
        #expect(event == "event: change\ndata: {}\n\n")
        stream.close()
    }

    @Test("an album in which a limited tenant sees nothing is not listed")
    func limitedAlbums() async throws {
        let fixture = try await GalleryFixture()
        let handler = handler(fixture)
        let assets = Array(fixture.library.fetchAssets())
        try await fixture.library.performChanges { changes in
            try changes.addAssets([assets[0]], to: try changes.createAlbum(title: "Ann's own"))
            try changes.addAssets([assets[0], assets[2]], to: try changes.createAlbum(title: "Both's"))
            _ = try changes.createAlbum(title: "Empty")
        }
        let ann = await get(handler, "/api/albums", as: "ann").text
        let bob = await get(handler, "/api/albums", as: "bob").text
        #expect(ann.contains("Ann's own") && ann.contains("Both's") && !ann.contains("Empty"))
        #expect(!bob.contains("Ann's own") && bob.contains("Both's") && !bob.contains("Empty"))
    }

    @Test("a tenant has so many streams of changes, and the place of one that ends is free")
    func streams() async throws {
        let fixture = try await GalleryFixture(count: 0)
        let tenant = ServiceTenant(name: "everybody", tokens: [], library: fixture.library, streamLimit: 2)
        let handler = ServiceHandler(tenants: [tenant], manager: fixture.manager, configuration: .unhurried)
        func open() async -> ServiceResponse { await get(handler, "/api/events", as: nil) }
        let first = await open()
        var second: ServiceResponse? = await open()
        #expect(first.status == 200 && second?.status == 200)
        let refused = await open()
        #expect(refused.status == 503 && refused.fields["retry-after"] == "1")
        if case .events(let stream) = first.body { stream.close() }
        second = nil
        #expect(await open().status == 200)
        #expect(second == nil)
    }

    @Test("a picture that another tenant has had takes its time, and comes from the cache the second time", .endsHangs)
    func timesOfHits() async throws {
        let file = try GalleryFixture.photograph(0)
        let renderer = SuspendableRenderer { _ in GalleryFixture.image(file) }
        let fixture = try await GalleryFixture(renderer: renderer)
        var handler = handler(fixture)
        let held = Mutex<[Double]>([])
        handler.hold = { milliseconds, body in
            held.withLock { $0.append(milliseconds) }
            body()
        }
        let shared = fixture.library.fetchAssets()[1]
        func address(of name: String) throws -> String {
            let resident = try #require(handler.residents.named(name))
            return "/a/\(resident.names.name(of: shared.identifier))/\(resident.names.version(of: shared))/64x64.jpg"
        }
        #expect(await get(handler, try address(of: "bob"), as: "bob").status == 200)
        #expect(held.withLock { $0.isEmpty })
        let order = ThumbnailOrder(
            shared, try ThumbnailAddress("64x64.jpg", [:]), .jpg, isSigned: false, handler.configuration)
        // A blank image costs next to nothing.
        handler.costs.note(order.mark, 3_600_000)
        let first = await get(handler, try address(of: "ann"), as: "ann")
        #expect(first.status == 200 && renderer.callCount == 1)
        let times = held.withLock { $0 }
        #expect(times.count == 1 && times[0] > 3_000_000, "\(times)")
        let again = await get(handler, try address(of: "ann"), as: "ann")
        #expect(again.notes.origin == .cache && held.withLock { $0.count } == 1)
        await fixture.manager.shutdown(graceful: false)
    }

    @Test("that a picture cannot be made takes a tenant its time the first time, whoever asked before", .endsHangs)
    func timesOfFailures() async throws {
        let renderer = SuspendableRenderer { _ in .failure(.rendering(.malformed(reason: "a marker"))) }
        let fixture = try await GalleryFixture(renderer: renderer)
        var handler = handler(fixture)
        let held = Mutex<[Double]>([])
        handler.hold = { milliseconds, body in
            held.withLock { $0.append(milliseconds) }
            body()
        }
        let shared = fixture.library.fetchAssets()[1]
        func ask(_ name: String, _ side: Int) async throws {
            let names = try #require(handler.residents.named(name)).names
            let address = "/a/\(names.name(of: shared.identifier))/\(names.version(of: shared))/\(side)x\(side).jpg"
            #expect(await get(handler, address, as: name).status == 422)
        }
        let order = ThumbnailOrder(
            shared, try ThumbnailAddress("64x64.jpg", [:]), .jpg, isSigned: false, handler.configuration)
        // What it took bob, who came first.
        #expect(handler.costs.cost(ofFailure: order.mark, of: order.contentMark, after: 3_600_000) == 3_600_000)
        try await ask("ann", 64)
        #expect(held.withLock { $0.count == 1 && $0[0] > 3_000_000 })
        try await ask("ann", 64)
        #expect(held.withLock { $0.count } == 1)
        // Another picture of the same bytes fails with it.
        try await ask("ann", 128)
        #expect(held.withLock { $0.count == 2 && $0[1] > 3_000_000 })
        #expect(handler.costs.cost(ofFailure: 1, of: 2, after: 0) == 10)
        await fixture.manager.shutdown(graceful: false)
    }

    @Test(
        "a picture that is held back is let go with its client and ends at its deadline, and is new until then",
        .endsHangs)
    func endsOfHolds() async throws {
        let file = try GalleryFixture.photograph(0)
        let renderer = SuspendableRenderer { _ in GalleryFixture.image(file) }
        let fixture = try await GalleryFixture(renderer: renderer)
        var handler = handler(fixture, deadline: .seconds(3600))
        let held = Mutex<[(milliseconds: Double, body: @Sendable () -> Void)]>([])
        handler.hold = { milliseconds, body in held.withLock { $0.append((milliseconds, body)) } }
        let shared = fixture.library.fetchAssets()[1]
        func request(_ name: String) throws -> ServiceRequest {
            let names = try #require(handler.residents.named(name)).names
            return ServiceRequest(
                target: "/a/\(names.name(of: shared.identifier))/\(names.version(of: shared))/64x64.jpg",
                fields: ["authorization": "Bearer token-of-\(name)-1234"])
        }
        /// Ask as ann, until the picture is held back.
        func pending(heldAs count: Int) async throws -> PendingResponse? {
            guard case .pending(let pending) = handler.answer(to: try request("ann")) else { return nil }
            while held.withLock({ $0.count }) < count { await Task.yield() }
            return pending
        }
        #expect(await handler.response(to: try request("bob")).status == 200)
        let order = ThumbnailOrder(
            shared, try ThumbnailAddress("64x64.jpg", [:]), .jpg, isSigned: false, handler.configuration)
        handler.costs.note(order.mark, 7_200_000)
        let first = try #require(try await pending(heldAs: 1))
        first.cancel()
        #expect(first.response?.notes.isAbandoned == true)
        #expect(handler.admission.counts == [.init(), .init()])
        let second = try #require(try await pending(heldAs: 2))
        let (milliseconds, end) = held.withLock { $0[1] }
        #expect(milliseconds <= 3_600_000)
        end()
        #expect(second.response?.status == 503)
        handler.costs.note(order.mark, 1_000_000)
        let third = try #require(try await pending(heldAs: 3))
        for each in held.withLock({ $0 }) { each.body() }
        #expect(third.response?.status == 200 && handler.admission.counts == [.init(), .init()])
        #expect(await handler.response(to: try request("ann")).notes.origin == .cache)
        #expect(renderer.callCount == 1)
        await fixture.manager.shutdown(graceful: false)
    }

    @Test("a limited tenant sees no placeholder that only another's request has left, until all are made")
    func hashesOfOthers() async throws {
        let fixture = try await GalleryFixture()
        let handler = handler(fixture)
        func hashes(_ name: String) async throws -> [Int] {
            let grid = try GridReading(await get(handler, "/api/grid", as: name).bytes)
            return grid.hashes.map(\.count).sorted()
        }
        let shared = fixture.library.fetchAssets()[1]
        let bob = try #require(handler.residents.named("bob")).names
        let address = "/a/\(bob.name(of: shared.identifier))/\(bob.version(of: shared))/64x64.jpg"
        #expect(await get(handler, address, as: "bob").status == 200)
        try #require(shared.thumbHash != nil)
        #expect(try await hashes("ann") == [0, 0])
        let albums = await get(handler, "/api/albums", as: "ann").text
        #expect(albums.contains("\"cover\"") && !albums.contains("\"hash\""))
        // One that the tenant's own request has left, or would have, is shown.
        let ann = try #require(handler.residents.named("ann")).names
        let own = "/a/\(ann.name(of: shared.identifier))/\(ann.version(of: shared))/64x64.jpg"
        #expect(await get(handler, own, as: "ann").status == 200)
        #expect(try await hashes("ann").filter { $0 > 0 }.count == 1)
        try await fixture.library.fetchAssets()[0].makeThumbHash()
        #expect(try await hashes("ann").filter { $0 > 0 }.count == 1)
        handler.setPlaceholdersMade(true)
        #expect(try await hashes("ann").filter { $0 > 0 }.count == 2)
        // What an import brings is hidden, and nothing else.
        handler.setPlaceholdersMissing([fixture.library.fetchAssets()[0].identifier])
        #expect(try await hashes("ann").filter { $0 > 0 }.count == 1)
        handler.setPlaceholdersMissing([shared.identifier])
        #expect(try await hashes("ann").filter { $0 > 0 }.count == 2)
    }

    @Test("streams of one tenant share the looks at what it sees, and a look that finds nothing new tells nothing")
    func sharedLooks() async throws {
        let fixture = try await GalleryFixture()
        let assets = Array(fixture.library.fetchAssets())
        let handler = handler(fixture)
        var streams: [ByteStream] = []
        for _ in 0..<5 {
            let response = await get(handler, "/api/events", as: "bob")
            if case .events(let stream) = response.body { streams.append(stream) }
        }
        for stream in streams { #expect(stream.take() != nil) }
        try await fixture.library.performChanges { try $0.edit(assets[2]) { $0.isFavorite = true } }
        for stream in streams {
            await withCheckedContinuation { continuation in stream.whenReadable { continuation.resume() } }
            #expect(stream.take().map { String(decoding: $0, as: UTF8.self) } == "event: change\ndata: {}\n\n")
        }
        // Placeholders that are not shown are nothing to tell of.
        try await assets[1].makeThumbHash()
        let feed = handler.feeds[1]
        feed.lookForPlaceholders()
        // A grid is made behind that look in the tenant's queue.
        _ = await get(handler, "/api/grid", as: "bob")
        #expect(streams[0].take() == [])
        handler.setPlaceholdersMade(true)
        try await assets[2].makeThumbHash()
        feed.lookForPlaceholders()
        await withCheckedContinuation { continuation in streams[0].whenReadable { continuation.resume() } }
        #expect(
            streams[0].take().map { String(decoding: $0, as: UTF8.self) } == "event: placeholders\ndata: {}\n\n")
        for stream in streams { stream.close() }
    }

    @Test("codes are compared to their ends, whatever differs")
    func comparing() {
        let code = ServiceSecret(key: [1]).code(of: "text")
        #expect(code.count == 32 && ServiceSecret.areEqual(code, code))
        for index in code.indices {
            var other = code
            other[index] ^= 1
            #expect(!ServiceSecret.areEqual(code, other))
        }
        #expect(!ServiceSecret.areEqual(code, Array(code.dropLast())))
        // RFC 4231, test case 2.
        let known = ServiceSecret(key: Array("Jefe".utf8)).code(of: "what do ya want for nothing?")
        #expect(known.prefix(4) == [0x5B, 0xDC, 0xC1, 0x46])
    }

    @Test("a tenant that has been sent its bytes of the day waits for the next")
    func quotas() async throws {
        let fixture = try await GalleryFixture()
        let time = Mutex(Date(timeIntervalSince1970: 86_400 * 100 + 86_000))
        let handler = handler(fixture, now: { time.withLock { $0 } })
        let grid = await get(handler, "/api/grid", as: "bob")
        let address = try GridReading(grid.bytes).addresses[0]
        // An answer counts in full until it is over, and then as far as it was sent.
        try #require(grid.bytes.count > 60)
        let early = await get(handler, "/api/grid", as: "bob")
        #expect(early.status == 429)
        handler.countSent(0, of: early)
        handler.countSent(59, of: grid)
        let size = await handler.response(
            to: ServiceRequest(
                method: "HEAD", target: "/o" + address.dropFirst(2),
                fields: ["authorization": "Bearer token-of-bob-1234"]))
        #expect(size.status == 200 && (size.body.byteCount ?? 0) > 60)
        let second = await get(handler, "/api/grid", as: "bob")
        #expect(second.status == 200)
        handler.countSent(1, of: second)
        let refused = await get(handler, address + "/64x64.jpg", as: "bob")
        #expect(refused.status == 429 && refused.fields["retry-after"] == "400" && refused.errorName == "quotaExceeded")
        #expect(await get(handler, "/api/grid", as: "ann").status == 200)
        time.withLock { $0 += 400 }
        let picture = await get(handler, address + "/64x64.jpg", as: "bob")
        #expect(picture.status == 200)
        // What a day had counted too much is nothing that the next one may send.
        time.withLock { $0 += 86_400 }
        handler.countSent(0, of: picture)
        #expect(await get(handler, "/api/grid", as: "bob").status == 200)
        #expect(await get(handler, "/api/grid", as: "bob").status == 429)
    }
}
