import Foundation
import TestSupport
import Testing
import Thumbwheel

@testable import ThumbwheelService

@Suite("Thumbnails over HTTP")
struct ThumbnailTests {
    private func get(_ handler: ServiceHandler, _ target: String, _ fields: HTTPFields = [:]) async -> ServiceResponse {
        await handler.response(to: ServiceRequest(target: target, fields: fields))
    }

    @Test("a thumbnail has the size of the ladder's step and the format of its address")
    func sizes() async throws {
        let fixture = try await GalleryFixture()
        let handler = fixture.handler()
        let address = try await fixture.addresses(handler)[0]
        for (file, size, type) in [
            ("120x128.jpg", PixelSize(width: 128, height: 128), ContentType.jpeg),
            ("64x64.webp", PixelSize(width: 64, height: 64), .webp),
            ("128x64.png?crop=0,0,0.5,0.5", PixelSize(width: 128, height: 64), .png),
            ("64x64.avif", PixelSize(width: 64, height: 64), .avif),
        ] {
            let response = await get(handler, "\(address)/\(file)")
            #expect(response.status == 200)
            #expect(response.fields["content-type"] == type.rawValue)
            let head = try ImageHead(reading: MemoryByteSource(response.bytes))
            #expect(head.storedSize == size && head.contentType == type, "\(file)")
        }
        let fit = await get(handler, "\(address)/128x128.jpg?mode=fit")
        #expect(try ImageHead(reading: MemoryByteSource(fit.bytes)).storedSize.width == 128)
        #expect(try ImageHead(reading: MemoryByteSource(fit.bytes)).storedSize.height < 128)
    }

    @Test("a tag is known before anything is rendered, and a client that has it is told so")
    func tags() async throws {
        let renderer = SuspendableRenderer(isSuspended: true)
        let fixture = try await GalleryFixture(renderer: renderer)
        let handler = fixture.handler()
        let address = try await fixture.addresses(handler)[0] + "/128x128.jpg"
        let head = await handler.response(to: ServiceRequest(method: "HEAD", target: address))
        let tag = try #require(head.fields["etag"])
        #expect(head.status == 200 && head.bytes.isEmpty)
        for known in [tag, "W/" + tag, "\"x\", " + tag, "*"] {
            let response = await get(handler, address, ["if-none-match": known])
            #expect(response.status == 304 && response.fields["etag"] == tag, "\(known)")
        }
        for known in [tag + " , \"x\"", "\"x\"\t,\t" + tag + "\t"] {
            for name in ["if-match", "if-none-match"] {
                let request = ServiceRequest(method: "HEAD", target: address, fields: [name: known])
                #expect(await handler.response(to: request).status == (name == "if-match" ? 200 : 304), "\(known)")
            }
        }
        // A proxy would keep a copy for each value of a parameter that means nothing.
        for stray in ["?tenant=x", "?expires=1", "?mode=fit&tenant=everybody&expires=99"] {
            let response = await get(handler, address + stray)
            #expect(response.status == 400 && response.errorName == "invalidParameter", "\(stray)")
        }
        let failed = await get(handler, address, ["if-match": "\"x\""])
        #expect(failed.status == 412 && failed.errorName == "preconditionFailed")
        #expect(renderer.callCount == 0)
        await fixture.manager.shutdown(graceful: false)
    }

    @Test("tags differ where bytes do, and are the same where the ladder makes the sizes the same")
    func differingTags() async throws {
        let fixture = try await GalleryFixture()
        let handler = fixture.handler()
        let addresses = try await fixture.addresses(handler)
        var tags: Set<String> = []
        for file in [
            "128x128.jpg", "128x128.webp", "192x128.jpg", "128x128.jpg?mode=fit", "128x128.jpg?crop=0,0,1,0.5",
        ] {
            for address in addresses.prefix(2) {
                let head = await handler.response(to: ServiceRequest(method: "HEAD", target: "\(address)/\(file)"))
                tags.insert(try #require(head.fields["etag"]))
            }
        }
        #expect(tags.count == 10)
        let one = await handler.response(to: ServiceRequest(method: "HEAD", target: "\(addresses[0])/65x70.jpg"))
        let other = await handler.response(to: ServiceRequest(method: "HEAD", target: "\(addresses[0])/128x128.jpg"))
        #expect(one.fields["etag"] == other.fields["etag"])
    }

    @Test("a million sizes are a few renditions")
    func ladder() {
        let ladder = SizeLadder()
        var sizes: Set<PixelSize> = []
        for width in 1...1000 {
            for height in 1...1000 { sizes.insert(ladder.snapped(PixelSize(width: width, height: height))) }
        }
        #expect(sizes.count == 64)
        #expect(ladder.snapped(PixelSize(width: 16_384, height: 1)) == PixelSize(width: 2048, height: 64))
    }

    @Test("Accept decides the format where the address names none")
    func negotiation() async throws {
        let fixture = try await GalleryFixture()
        let handler = fixture.handler()
        let address = try await fixture.addresses(handler)[0] + "/64x64"
        for (accept, type) in [
            ("image/avif,image/webp,image/*,*/*;q=0.8", "image/webp"), ("*/*", "image/jpeg"),
            ("image/png", "image/png"), ("image/webp;q=0.5,image/jpeg", "image/jpeg"), ("image/*", "image/jpeg"),
            ("image/avif", "image/avif"),
        ] {
            let response = await get(handler, address, ["accept": accept])
            #expect(response.status == 200 && response.fields["content-type"] == type, "\(accept)")
            #expect(response.fields["vary"] == "accept")
        }
        for accept in ["image/jxl", "text/html", "image/*;q=0"] {
            let response = await get(handler, address, ["accept": accept])
            #expect(response.status == 406 && response.errorName == "notAcceptable", "\(accept)")
        }
    }

    @Test("an old version leads to the present one, which a changed file has")
    func versions() async throws {
        let fixture = try await GalleryFixture()
        let handler = fixture.handler()
        let before = try await fixture.addresses(handler)
        try fixture.folder.write("photo-0.jpg", try GalleryFixture.photograph(7))
        try await fixture.library.importFolder(at: fixture.folder.path)
        let after = try await fixture.addresses(handler)
        let old = try #require(Set(before).subtracting(after).first)
        let new = try #require(Set(after).subtracting(before).first)
        let response = await get(handler, old + "/64x64.jpg?mode=fit")
        #expect(response.status == 307 && response.fields["location"] == new + "/64x64.jpg?mode=fit")
    }

    @Test("a thumbnail of a file that was written again is delivered under no version before the library has seen it")
    func changedFiles() async throws {
        let fixture = try await GalleryFixture(count: 1)
        let handler = fixture.handler()
        let old = try await fixture.addresses(handler)[0]
        try fixture.folder.write("photo-0.jpg", try GalleryFixture.photograph(7))
        let response = await get(handler, old + "/64x64.jpg")
        #expect(response.status == 404 && response.fields["cache-control"] == "no-store")
        try await fixture.library.importFolder(at: fixture.folder.path)
        #expect(await get(handler, old + "/64x64.jpg").status == 307)
        let new = try await fixture.addresses(handler)[0]
        #expect(new != old)
        #expect(await get(handler, new + "/64x64.jpg").status == 200)
    }

    @Test("servers that have a file each, of the same name, bytes and date, have the same version for it")
    func sharedVersions() async throws {
        let date = Date(timeIntervalSince1970: 1_000_000_000)
        var versions: [String] = []
        for number in [3, 3, 4] {
            let fixture = try await GalleryFixture(count: 0)
            let path = try fixture.folder.write("photo.jpg", try GalleryFixture.photograph(number))
            try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: path)
            try await fixture.library.importFolder(at: fixture.folder.path)
            versions.append(String(try await fixture.addresses(fixture.handler())[0].split(separator: "/")[2]))
        }
        #expect(versions[0] == versions[1] && versions[1] != versions[2])
    }

    @Test("a client that leaves stops its render, and its place is free at once")
    func leaving() async throws {
        let renderer = SuspendableRenderer(isSuspended: true)
        let fixture = try await GalleryFixture(renderer: renderer)
        let handler = fixture.handler()
        let address = try await fixture.addresses(handler)[0]
        guard case .pending(let pending) = handler.answer(to: ServiceRequest(target: address + "/64x64.jpg")) else {
            Issue.record("no render")
            return
        }
        await renderer.waitForCalls(1)
        pending.cancel()
        let response = await withCheckedContinuation { continuation in
            pending.whenReady { continuation.resume(returning: $0) }
        }
        #expect(response.notes.isAbandoned && pending.isCancelled)
        #expect(handler.metricsText.contains("thumbwheel_service_abandoned_total{tenant=\"everybody\"} 1\n"))
        #expect(handler.metricsText.contains("thumbwheel_service_running{tenant=\"everybody\"} 0\n"))
        #expect(handler.metricsText.contains("thumbwheel_service_open 0\n"))
        await fixture.manager.shutdown(graceful: false)
        #expect(renderer.stoppedCount == 1)
    }

    @Test("beyond the bound there is 503 with Retry-After, and no request is begun")
    func bound() async throws {
        let renderer = SuspendableRenderer(isSuspended: true)
        let fixture = try await GalleryFixture(renderer: renderer)
        let tenant = ServiceTenant(name: "everybody", tokens: [], library: fixture.library, waitingLimit: 2)
        let handler = ServiceHandler(tenants: [tenant], manager: fixture.manager, configuration: .unhurried)
        let address = try await fixture.addresses(handler)[0]
        var pending: [PendingResponse] = []
        for side in [64, 128] {
            guard case .pending(let one) = handler.answer(to: ServiceRequest(target: "\(address)/\(side)x\(side).jpg"))
            else { continue }
            pending.append(one)
        }
        #expect(pending.count == 2)
        let refused = await get(handler, address + "/192x192.jpg")
        #expect(refused.status == 503 && refused.fields["retry-after"] == "1" && refused.errorName == "busy")
        // A slot that is given back can be used again.
        pending[0].cancel()
        if case .ready = handler.answer(to: ServiceRequest(target: address + "/192x192.jpg")) {
            Issue.record("the slot did not come back")
        }
        await fixture.manager.shutdown(graceful: false)
    }

    @Test("a deadline ends as 503")
    func deadline() async throws {
        let renderer = SuspendableRenderer(isSuspended: true)
        let fixture = try await GalleryFixture(renderer: renderer)
        let address = try await fixture.addresses(fixture.handler())[0]
        let response = await get(fixture.handler { $0.deadline = .milliseconds(1) }, address + "/64x64.jpg")
        #expect(response.status == 503 && response.fields["retry-after"] != nil)
        await fixture.manager.shutdown(graceful: false)
    }

    @Test(
        "what cannot be rendered is 422, what cannot be rendered now is 503, and neither tells a path",
        arguments: [
            (RenderError.malformed(reason: "/secret"), 422), (.limitExceeded(limit: .pixels), 422),
            (.decoderFailed(signal: SIGSEGV), 422), (.decoderFailed(signal: SIGKILL), 503),
            (.decoderFailed(signal: nil), 503), (.unavailable(reason: "/secret"), 503),
            (.source(.unreadable(path: "/secret", code: EIO)), 503),
        ])
    func failures(error: RenderError, status: Int) async throws {
        let fixture = try await GalleryFixture(count: 1)
        let renderer = SuspendableRenderer { _ in .failure(.rendering(error)) }
        let manager = ImageManager(
            configuration: ImageManager.Configuration { $0.watchesMemory = false }, renderer: renderer,
            recordsRenders: false)
        let handler = ServiceHandler(library: fixture.library, manager: manager, configuration: .unhurried)
        let response = await get(handler, try await fixture.addresses(handler)[0] + "/64x64.jpg")
        #expect(response.status == status && response.errorName == (status == 422 ? "notRenderable" : "busy"))
        #expect((response.fields["retry-after"] != nil) == (status == 503))
        #expect(!response.text.contains("secret"))
    }
}
