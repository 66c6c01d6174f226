import Foundation
import TestSupport
import Testing
import Thumbwheel
import ThumbwheelCore
import ThumbwheelLocks
import ThumbwheelPipeline
import ThumbwheelRendering

@testable import ThumbwheelService

@Suite("Bad input over HTTP")
struct BadInputTests {
    @Test(
        "addresses that are not well formed are refused before anything is looked up",
        arguments: [
            "", "x", "a", "*", "//", "/a//b", "/./", "/../etc/passwd", "/a/../b", "/a/./b/c", "/%2e%2e/x", "/a%00",
            "/a%",
            "/\u{0}", "/a\\b", "/ä", "/a b", "/?a=%", "/?a=%zz", "/?a=%00", "/?a=%0d%0aset-cookie:x", "/?a=%ff",
        ])
    func targets(_ target: String) async throws {
        let handler = try await GalleryFixture(count: 0).handler()
        let response = await handler.response(to: ServiceRequest(target: target))
        #expect(response.status == 400 && response.errorName == "malformedTarget")
    }

    @Test("a file that cannot be opened for want of descriptors is busy, any other is not there")
    func descriptors() {
        #expect(ServiceError.opening(.unreadable(path: "/a", code: EMFILE)).status == 503)
        #expect(ServiceError.opening(.unreadable(path: "/a", code: ENFILE)).status == 503)
        #expect(ServiceError.opening(.unreadable(path: "/a", code: EACCES)) == .notFound)
        #expect(ServiceError.opening(.notFound(path: "/a")) == .notFound)
    }

    @Test("each bad request has its status, one line of JSON, and tells nothing of the file system")
    func statuses() async throws {
        let fixture = try await GalleryFixture(count: 1)
        let handler = fixture.handler()
        let address = try await fixture.addresses(handler)[0]
        let name = address.split(separator: "/")[1]
        let rows: [(ServiceRequest, Int, String)] = [
            (ServiceRequest(target: address + "/0x64.jpg"), 400, "invalidSize"),
            (ServiceRequest(target: address + "/64x0.jpg"), 400, "invalidSize"),
            (ServiceRequest(target: address + "/100000x100000.jpg"), 400, "invalidSize"),
            (ServiceRequest(target: address + "/99999999999999999999x1.jpg"), 400, "invalidSize"),
            (ServiceRequest(target: address + "/-1x64.jpg"), 400, "invalidSize"),
            (ServiceRequest(target: address + "/64.jpg"), 400, "invalidSize"),
            (ServiceRequest(target: address + "/64x64.jpg.png"), 400, "invalidSize"),
            (ServiceRequest(target: address + "/64x64.jxl"), 404, "unknownFormat"),
            (ServiceRequest(target: address + "/64x64.exe"), 404, "unknownFormat"),
            (ServiceRequest(target: address + "/64x64.jpg?mode=stretch"), 400, "invalidParameter"),
            (ServiceRequest(target: address + "/64x64.jpg?mode=fit&mode=fill"), 400, "invalidParameter"),
            (ServiceRequest(target: address + "/64x64.jpg?nonsense=1"), 400, "invalidParameter"),
            (ServiceRequest(target: address + "/64x64.jpg?crop=0,0,2,1"), 400, "invalidParameter"),
            (ServiceRequest(target: address + "/64x64.jpg?crop=nan,0,1,1"), 400, "invalidParameter"),
            (ServiceRequest(target: address + "/64x64.jpg?crop=0,0,0,0"), 400, "invalidParameter"),
            (ServiceRequest(target: address + "/64x64.jpg?signature=abc&expires=9999999999"), 403, "invalidSignature"),
            (ServiceRequest(target: "/a/AAAAAAAAAAAAAAAAAAAAAA/AAAAAAAA/64x64.jpg"), 404, "notFound"),
            (ServiceRequest(target: "/a/x/AAAAAAAA/64x64.jpg"), 404, "notFound"),
            (ServiceRequest(target: "/o/\(name)/AAAAAAAA"), 404, "notFound"),
            (ServiceRequest(target: "/o" + address.dropFirst(2) + "?x=1"), 400, "invalidParameter"),
            (ServiceRequest(target: "/o" + address.dropFirst(2) + "?tenant=everybody"), 400, "invalidParameter"),
            (ServiceRequest(target: "/o" + address.dropFirst(2) + "?signature=abc"), 403, "invalidSignature"),
            (ServiceRequest(target: "/api/grid?x=1"), 400, "invalidParameter"),
            (ServiceRequest(target: "/api/grid?signature=abc"), 400, "invalidParameter"),
            (ServiceRequest(target: "/api/albums?order=newest"), 400, "invalidParameter"),
            (ServiceRequest(target: "/nothing"), 404, "notFound"),
            (ServiceRequest(target: "/a/b/c/d/e/f"), 404, "notFound"),
            (ServiceRequest(target: "/api/nothing"), 404, "notFound"),
            (ServiceRequest(target: "/api/grid?album=AAAA"), 404, "notFound"),
            (ServiceRequest(target: "/api/grid?order=random"), 400, "invalidParameter"),
            (ServiceRequest(target: "/" + String(repeating: "a", count: 5000)), 414, "targetTooLong"),
            (ServiceRequest(target: "/", fields: ["x": String(repeating: "a", count: 1 << 20)]), 431, "fieldsTooLarge"),
            (ServiceRequest(target: "/", body: [1]), 400, "unexpectedBody"),
            (ServiceRequest(target: address + "/64x64.jpg", body: [1]), 400, "unexpectedBody"),
            (ServiceRequest(method: "DELETE", target: "/"), 405, "methodNotAllowed"),
            (ServiceRequest(method: "get", target: "/"), 405, "methodNotAllowed"),
            (ServiceRequest(method: "POST", target: address + "/64x64.jpg"), 405, "methodNotAllowed"),
            (ServiceRequest(method: "TRACE", target: "/api/albums"), 405, "methodNotAllowed"),
            (ServiceRequest(target: "/api/favorite"), 405, "methodNotAllowed"),
            (ServiceRequest(method: "POST", target: "/api/favorite", body: Array("{}".utf8)), 415, "notJSON"),
        ]
        for (request, status, name) in rows {
            let response = await handler.response(to: request)
            #expect(
                response.status == status && response.errorName == name,
                "\(request.method) \(request.target.prefix(99))")
            #expect(!response.text.contains("/") || status == 415, "\(response.text)")
            #expect(!response.text.contains(fixture.folder.path))
            #expect((response.status == 405) == (response.fields["allow"] != nil))
        }
    }

    @Test("a name that another site has led here is refused where no token is needed, and reaches nothing")
    func hosts() async throws {
        let fixture = try await GalleryFixture(count: 1)
        let handler = fixture.handler { $0.hosts = ["Photos.example", "photos.home.example."] }
        let address = try await fixture.addresses(handler)[0]
        func status(_ target: String, _ host: String, method: String = "GET") async -> Int {
            let fields: HTTPFields = ["host": host, "content-type": "application/json"]
            let response = await handler.response(to: ServiceRequest(method: method, target: target, fields: fields))
            if response.status == 421 { #expect(response.errorName == "unknownHost") }
            return response.status
        }
        let own = [
            "127.0.0.1", "127.0.0.1:8080", "192.168.1.9:80", "[::1]", "[fe80::1]:8080", "localhost:8080", "a.localhost",
            "nas", "thumbwheel:8080", "nas.local", "nas.local.:8080", "thumbwheel.default.svc.cluster.local",
            "nas.home.arpa", "photos.internal", "PHOTOS.EXAMPLE:443", "photos.example.", "photos.home.example", "",
        ]
        for host in own { #expect(await status("/api/grid", host) == 200, "\(host)") }
        let foreign = [
            "evil.example", "evil.example:8080", "127.0.0.1.evil.example", "localhost.evil.example", "evil.example.",
            "local.example", "notphotos.example", "notlocal",
        ]
        for host in foreign.dropLast() {
            for target in [
                "/", "/api/grid", "/api/albums", "/api/events", "/metrics", address + "/64x64.jpg",
                "/o" + address.dropFirst(2), "/api/previews?of=" + address.dropFirst(3).replacing("/", with: "."),
                // A signature that is none changes nothing.
                "/api/grid?signature=x",
            ] { #expect(await status(target, host) == 421, "\(target) \(host)") }
            #expect(await status("/api/favorite", host, method: "POST") == 421)
        }
        for target in ["/healthz", "/readyz"] { #expect(await status(target, "evil.example") != 421) }
        // A token is nothing that another site's page has.
        let tenant = ServiceTenant(name: "ann", tokens: ["token-of-ann-1234"], library: fixture.library)
        let closed = ServiceHandler(tenants: [tenant], manager: fixture.manager, configuration: .unhurried)
        let request = ServiceRequest(
            target: "/api/grid", fields: ["host": "evil.example", "authorization": "Bearer token-of-ann-1234"])
        #expect(await closed.response(to: request).status == 200)
        #expect(await closed.response(to: ServiceRequest(target: "/", fields: ["host": "evil.example"])).status == 200)
    }

    @Test("a form of another site cannot mark favourites")
    func otherSites() async throws {
        let fixture = try await GalleryFixture(count: 1)
        let handler = fixture.handler()
        let request = ServiceRequest(
            method: "POST", target: "/api/favorite",
            fields: ["content-type": "application/json", "sec-fetch-site": "cross-site"], body: Array("{}".utf8))
        let response = await handler.response(to: request)
        #expect(response.status == 403 && response.errorName == "forbidden")
    }

    @Test("a symbolic link out of the folder leads nowhere")
    func links() async throws {
        let outside = try ScratchFolder()
        let secret = try outside.write("secret.jpg", try GalleryFixture.photograph(9))
        let folder = try ScratchFolder()
        try folder.write("inside.jpg", try GalleryFixture.photograph(1))
        try FileManager.default.createSymbolicLink(atPath: folder.path + "/link.jpg", withDestinationPath: secret)
        let library = PhotoLibrary()
        try await library.importFolder(at: folder.path)
        // The library itself has both: the bound is the service's.
        #expect(library.fetchAssets().count == 2)
        let manager = try ImageManager(configuration: ImageManager.Configuration { $0.watchesMemory = false })
        let open = ServiceHandler(library: library, manager: manager, configuration: .unhurried)
        let bound = ServiceHandler(
            library: library, manager: manager,
            configuration: ServiceHandler.Configuration { ($0.deadline, $0.roots) = (nil, [folder.path]) })
        let all = try GridReading(await open.response(to: ServiceRequest(target: "/api/grid")).bytes).addresses
        let shown = try GridReading(await bound.response(to: ServiceRequest(target: "/api/grid")).bytes).addresses
        #expect(all.count == 2 && shown.count == 1)
        let albums = await bound.response(to: ServiceRequest(target: "/api/albums"))
        #expect(albums.text.contains("\"count\":1,") && !albums.text.contains("\"count\":2,"))
        for address in all {
            let isShown = shown.contains(address)
            let original = "/o" + address.dropFirst(2)
            for target in [address + "/64x64.jpg", original] {
                let response = await bound.response(to: ServiceRequest(target: target))
                #expect(response.status == (isShown ? 200 : 404))
            }
        }
        // A link that takes a file's place after the import is caught as it is opened.
        try FileManager.default.removeItem(atPath: folder.path + "/inside.jpg")
        try FileManager.default.createSymbolicLink(atPath: folder.path + "/inside.jpg", withDestinationPath: secret)
        for target in ["/o" + shown[0].dropFirst(2), shown[0] + "/128x128.jpg"] {
            #expect(await bound.response(to: ServiceRequest(target: target)).status == 404)
        }
        // A list looks at no file again that the library has not seen to change.
        try await library.performChanges { _ = try $0.createAlbum(title: "a change") }
        let later = await bound.response(to: ServiceRequest(target: "/api/grid"))
        #expect(try GridReading(later.bytes).addresses == shown)
    }

    @Test("a link from one tenant's folder to another's leads nowhere")
    func linksBetweenTenants() async throws {
        let folder = try ScratchFolder()
        try FileManager.default.createDirectory(atPath: folder.path + "/ann", withIntermediateDirectories: false)
        try FileManager.default.createDirectory(atPath: folder.path + "/bob", withIntermediateDirectories: false)
        let secret = try folder.write("bob/secret.jpg", try GalleryFixture.photograph(9))
        try folder.write("ann/own.jpg", try GalleryFixture.photograph(1))
        try FileManager.default.createSymbolicLink(
            atPath: folder.path + "/ann/link.jpg", withDestinationPath: secret)
        let library = PhotoLibrary()
        try await library.importFolder(at: folder.path + "/ann")
        let manager = try ImageManager(configuration: ImageManager.Configuration { $0.watchesMemory = false })
        func count(roots: [String]?) async throws -> Int {
            let ann = ServiceTenant(name: "ann", tokens: [], library: library, roots: roots)
            let handler = ServiceHandler(
                tenants: [ann], manager: manager,
                configuration: ServiceHandler.Configuration { ($0.deadline, $0.roots) = (nil, [folder.path]) })
            return try GridReading(await handler.response(to: ServiceRequest(target: "/api/grid")).bytes).addresses
                .count
        }
        #expect(try await count(roots: nil) == 2)
        #expect(try await count(roots: [folder.path + "/ann"]) == 1)
    }

    /// Does something before each render, at which time the service has looked where the file lies.
    private struct PrecededRenderer: RenditionRenderer {
        let renderer: AssetRenderer
        let body: @Sendable () throws -> Void

        func render(_ assignment: RenderAssignment, with assistants: any RenderAssistants) -> RenderOutcome {
            try? body()
            return renderer.render(assignment, with: assistants)
        }
    }

    @Test(
        "a link to another tenant's photograph that is put in a file's place after the service has looked shows nothing"
    )
    func lateLinks() async throws {
        let folder = try ScratchFolder()
        let date = Date(timeIntervalSince1970: 1_000_000_000)
        let byteCount = 1 << 16
        let paths = try ["ann/own.jpg", "bob/secret.jpg"].enumerated().map { number, name in
            let picture = try GalleryFixture.photograph(number)
            // The same length and date. Bytes behind the end of a JPEG mean nothing.
            let path = try folder.write(name, picture + Array(repeating: 0, count: byteCount - picture.count))
            try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: path)
            return path
        }
        let library = PhotoLibrary()
        try await library.importFolder(at: folder.path + "/ann")
        let renderer = AssetRenderer(
            limits: RenderLimits(duration: .seconds(86_400)), roots: FolderRoots([folder.path]),
            refusesChangedFiles: true)
        let isSwapped = Mutex(false)
        let manager = ImageManager(
            configuration: ImageManager.Configuration { ($0.workerCount, $0.watchesMemory) = (1, false) },
            renderer: PrecededRenderer(renderer: renderer) {
                guard isSwapped.withLock({ $0 }) else { return }
                try FileManager.default.removeItem(atPath: paths[0])
                try FileManager.default.createSymbolicLink(atPath: paths[0], withDestinationPath: paths[1])
            }, recordsRenders: false)
        let ann = ServiceTenant(name: "ann", tokens: [], library: library, roots: [folder.path + "/ann"])
        let handler = ServiceHandler(tenants: [ann], manager: manager, configuration: .unhurried)
        let grid = await handler.response(to: ServiceRequest(target: "/api/grid"))
        let address = try #require(GridReading(grid.bytes).addresses.first)
        #expect(await handler.response(to: ServiceRequest(target: address + "/64x64.jpg")).status == 200)
        isSwapped.withLock { $0 = true }
        let response = await handler.response(to: ServiceRequest(target: address + "/128x128.jpg"))
        #expect(response.status == 404 && response.notes.origin == nil)
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: paths[0]) == paths[1])
    }

    @Test("a folder that was missing for a moment is delivered from when it is back")
    func missingFolder() throws {
        let folder = try ScratchFolder()
        let roots = FolderRoots([folder.path])
        let path = folder.path + "/inner/photo.jpg"
        #expect(!roots.seemToContain(path))
        try FileManager.default.createDirectory(atPath: folder.path + "/inner", withIntermediateDirectories: false)
        #expect(roots.seemToContain(path))
    }

    @Test("random targets, fields and bodies end as some response", arguments: [UInt64.random(in: .min ... .max)])
    func random(_ seed: UInt64) async throws {
        print("seed \(seed)")
        var generator = SeededNumbers(seed)
        let fixture = try await GalleryFixture(count: 1)
        let handler = fixture.handler()
        let address = try await fixture.addresses(handler)[0]
        let pieces = [
            address, "/a", "/o", "/api/grid", "/", "?", "&", "=", "%", "%00", "..", "64x64", ".jpg", "crop=", "0,0,1,1",
            "mode=fit",
            "signature=", "expires=", "AAAA", "é", "\u{0}", " ", "http://", "x",
        ]
        let values = [
            "", "\"x\"", "*", "bytes=0-", "bytes=-1,5-", "u=9", "u=-1,,,=", "image/*;q=", ";", ",", "Bearer ", "W/",
        ]
        let names = ["if-match", "if-none-match", "range", "if-range", "priority", "accept", "authorization", "cookie"]
        for _ in 0..<3000 {
            let target = (0..<Int.random(in: 0...6, using: &generator)).map { _ in
                pieces.randomElement(using: &generator)!
            }.joined()
            var fields = HTTPFields()
            for _ in 0..<Int.random(in: 0...3, using: &generator) {
                fields.add(names.randomElement(using: &generator)!, values.randomElement(using: &generator)!)
            }
            let method = ["GET", "HEAD", "POST", ""].randomElement(using: &generator)!
            let body: [UInt8] = Bool.random(using: &generator) ? [] : [0x7B]
            let response = await handler.response(
                to: ServiceRequest(method: method, target: target, fields: fields, body: body))
            #expect((200..<505).contains(response.status), "\(method) \(target)")
            #expect(response.status < 400 || response.errorName != nil, "\(method) \(target)")
        }
    }
}

private struct SeededNumbers: RandomNumberGenerator {
    private var state: UInt64

    init(_ seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var word = state
        word = (word ^ word >> 30) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ word >> 27) &* 0x94D0_49BB_1331_11EB
        return word ^ word >> 31
    }
}
