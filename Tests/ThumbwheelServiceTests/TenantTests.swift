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

    private func handler(_ fixture: GalleryFixture, now: @escaping @Sendable () -> Date = { Date() }) -> ServiceHandler
    {
        let assets = Array(fixture.library.fetchAssets())
        let ann = fixture.library.view(for: Only(identifiers: [assets[0].identifier, assets[1].identifier]))
        let bob = fixture.library.view(for: Only(identifiers: [assets[2].identifier, assets[1].identifier]))
        return ServiceHandler(
            tenants: [
                ServiceTenant(name: "ann", tokens: ["token-of-ann-1234"], library: ann),
                ServiceTenant(name: "bob", tokens: ["token-of-bob-1234"], library: bob, dailyByteLimit: 60),
            ], manager: fixture.manager, configuration: ServiceHandler.Configuration { $0.secret = secret }, now: now)
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
            let signed = AddressSigner(ServiceSecret(Array(guess.utf8))).signed(
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
        let handler = ServiceHandler(tenants: [tenant], manager: fixture.manager)
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

    @Test("codes are compared to their ends, whatever differs")
    func comparing() {
        let code = ServiceSecret([1]).code(of: "text")
        #expect(code.count == 32 && ServiceSecret.areEqual(code, code))
        for index in code.indices {
            var other = code
            other[index] ^= 1
            #expect(!ServiceSecret.areEqual(code, other))
        }
        #expect(!ServiceSecret.areEqual(code, Array(code.dropLast())))
        // RFC 4231, test case 2.
        let known = ServiceSecret(Array("Jefe".utf8)).code(of: "what do ya want for nothing?")
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
        let head = handler.answer(
            to: ServiceRequest(
                method: "HEAD", target: "/o" + address.dropFirst(2),
                fields: ["authorization": "Bearer token-of-bob-1234"]))
        guard case .ready(let size) = head else {
            Issue.record("no head")
            return
        }
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
