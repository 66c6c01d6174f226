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
        time.withLock { $0 = expiry + 1 }
        #expect(await get(handler, address, as: nil).status == 403)
        #expect(handler.signedAddress(of: asset, size: .zero, tenant: "nobody", until: expiry) == nil)
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
        let address = try GridReading(await get(handler, "/api/grid", as: "bob").bytes).addresses[0]
        let refused = await get(handler, address + "/64x64.jpg", as: "bob")
        #expect(refused.status == 429 && refused.fields["retry-after"] == "400" && refused.errorName == "quotaExceeded")
        #expect(await get(handler, "/api/grid", as: "ann").status == 200)
        time.withLock { $0 += 400 }
        #expect(await get(handler, address + "/64x64.jpg", as: "bob").status == 200)
    }
}
