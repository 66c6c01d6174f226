import TestSupport
import Testing
import Thumbwheel
import ThumbwheelLocks

@testable import ThumbwheelService

@Suite("Pictures on a disk that hangs")
struct HangingDiskTests {
    /// A handler for two tenants, of whom only ann has folders whose disk can be held up.
    private func handler(_ fixture: GalleryFixture, _ disk: HeldCalls, deadline: Duration? = nil) -> ServiceHandler {
        let tenants = [("ann", [fixture.folder.path]), ("bob", [])].map { name, roots in
            ServiceTenant(name: name, tokens: ["token-of-\(name)-1234"], library: fixture.library, roots: roots)
        }
        var handler = ServiceHandler(
            tenants: tenants, manager: fixture.manager,
            configuration: ServiceHandler.Configuration {
                $0.deadline = deadline
                $0.secret = ServiceSecret(Array("a secret that all handlers have".utf8))
            })
        handler.isReallyInside = { resident, asset in
            disk.pass()
            return resident.isReallyInside(asset)
        }
        return handler
    }

    private func request(_ target: String, as name: String = "ann") -> ServiceRequest {
        ServiceRequest(target: target, fields: ["authorization": "Bearer token-of-\(name)-1234"])
    }

    private func addresses(_ handler: ServiceHandler, of name: String = "ann") async throws -> [String] {
        let grid = await handler.response(to: request("/api/grid", as: name))
        return try GridReading(grid.bytes).addresses.map { $0 + "/64x64.jpg" }
    }

    private func pending(_ handler: ServiceHandler, _ target: String) throws -> PendingResponse {
        guard case .pending(let pending) = handler.answer(to: request(target)) else { throw Unexpected() }
        return pending
    }

    private struct Unexpected: Error {}

    @Test("a client that leaves is let go at once, and others' pictures are made meanwhile", .endsHangs)
    func leaving() async throws {
        let file = try GalleryFixture.photograph(0)
        let renderer = SuspendableRenderer { _ in GalleryFixture.image(file) }
        let fixture = try await GalleryFixture(count: 8, renderer: renderer)
        let disk = HeldCalls()
        let handler = handler(fixture, disk)
        let addresses = try await addresses(handler)
        disk.hold()
        let waiting = try addresses.map { try pending(handler, $0) }
        await disk.waitForCalls(4)
        // More wait than there are workers.
        let other = try await self.addresses(handler, of: "bob")[0]
        #expect(await handler.response(to: request(other, as: "bob")).status == 200)
        #expect(renderer.callCount == 1)
        for each in waiting {
            each.cancel()
            #expect(each.response?.notes.isAbandoned == true)
        }
        #expect(handler.admission.counts == [.init(), .init()])
        disk.release()
        // A new request waits behind all cancelled ones, so these are over once it is answered.
        #expect(await handler.response(to: request(addresses[7])).status == 200)
        #expect(renderer.callCount == 2)
        await fixture.manager.shutdown(graceful: false)
    }

    @Test("pictures of another folder of the same tenant are made meanwhile", .endsHangs)
    func folders() async throws {
        let file = try GalleryFixture.photograph(0)
        let renderer = SuspendableRenderer { _ in GalleryFixture.image(file) }
        let fixture = try await GalleryFixture(count: 0, renderer: renderer)
        let folders = ["hanging", "healthy"].map { fixture.folder.path + "/" + $0 }
        for (number, name) in ["hanging/0", "hanging/1", "hanging/2", "hanging/3", "healthy/4"].enumerated() {
            try fixture.folder.write(name + ".jpg", try GalleryFixture.photograph(number))
        }
        try await fixture.library.importFolder(at: fixture.folder.path)
        let disk = HeldCalls()
        var handler = fixture.handler { $0.roots = folders }
        handler.isReallyInside = { resident, asset in
            if asset.originalFilename != "4.jpg" { disk.pass() }
            return resident.isReallyInside(asset)
        }
        let addresses = try await fixture.addresses(handler)
        let healthy = fixture.library.fetchAssets().first { $0.originalFilename == "4.jpg" }
        let name = handler.residents.all[0].names.name(of: try #require(healthy).identifier)
        disk.hold()
        let waiting = addresses.filter { !$0.contains(name) }.map {
            handler.answer(to: ServiceRequest(target: $0 + "/64x64.jpg"))
        }
        await disk.waitForCalls(4)
        let address = try #require(addresses.first { $0.contains(name) })
        for target in [address + "/64x64.jpg", "/o" + address.dropFirst(2)] {
            #expect(await handler.response(to: ServiceRequest(target: target)).status == 200)
        }
        disk.release()
        for case .pending(let pending) in waiting {
            let response = await withCheckedContinuation { continuation in
                pending.whenReady { continuation.resume(returning: $0) }
            }
            #expect(response.status == 200)
        }
        await fixture.manager.shutdown(graceful: false)
    }

    @Test("a request ends at its deadline, and nothing is made for it afterwards", .endsHangs)
    func deadline() async throws {
        let file = try GalleryFixture.photograph(0)
        let renderer = SuspendableRenderer { _ in GalleryFixture.image(file) }
        let fixture = try await GalleryFixture(count: 1, renderer: renderer)
        let disk = HeldCalls()
        let address = try await addresses(handler(fixture, disk))[0]
        let handler = handler(fixture, disk, deadline: .milliseconds(1))
        disk.hold()
        let response = await handler.response(to: request(address))
        #expect(response.status == 503 && response.fields["retry-after"] == "1" && response.errorName == "busy")
        disk.release()
        await fixture.manager.shutdown(graceful: false)
        #expect(renderer.callCount == 0)
    }

    @Test("work that says how it is stopped after its response was cut short is stopped at once")
    func cuttingShort() {
        let stopped = Mutex<[String]>([])
        let pending = PendingResponse()
        pending.stops(at: .held) { stopped.withLock { $0.append("held") } }
        // An earlier stage does not replace a later one.
        pending.stops(at: .working) { stopped.withLock { $0.append("working") } }
        pending.cutShort(with: ServiceError.busy(retryAfter: 1).response)
        #expect(pending.response?.status == 503 && stopped.withLock { $0 } == ["held"])
        pending.stops { stopped.withLock { $0.append("late") } }
        #expect(stopped.withLock { $0 } == ["held", "late"])
        pending.cancel()
        #expect(!pending.isCancelled && stopped.withLock { $0.count } == 2)
        let finished = PendingResponse()
        finished.finish(ServiceError.notFound.response)
        finished.stops { stopped.withLock { $0.append("finished") } }
        #expect(stopped.withLock { $0.count } == 2)
    }
}
