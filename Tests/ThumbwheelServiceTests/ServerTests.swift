import Dispatch
import Foundation
import TestSupport
import Testing
import Thumbwheel
import ThumbwheelLocks
import ThumbwheelServer

@testable import ThumbwheelService

@Suite("The server")
struct ServerTests {
    @Test("pictures and originals come through a socket, byte for byte")
    func responses() async throws {
        let fixture = try await GalleryFixture(count: 1)
        let handler = fixture.handler()
        let server = try ServiceServer.unhurried(handler)
        let address = try await fixture.addresses(handler)[0]
        let original = try GalleryFixture.photograph(0)
        let client = try SocketClient(port: server.port)
        client.send(
            "GET /o\(address.dropFirst(2)) HTTP/1.1\r\nhost: x\r\nrange: bytes=0-99\r\nconnection: close\r\n\r\n")
        let text = client.readAll()
        #expect(text.hasPrefix("HTTP/1.1 206 ") && text.contains("Content-Length: 100\r\n"))
        #expect(text.contains("content-range: bytes 0-99/\(original.count)\r\n"))
        let second = try SocketClient(port: server.port)
        second.send("GET \(address)/64x64.jpg HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n")
        #expect(second.readAll().hasPrefix("HTTP/1.1 200 "))
        let head = try SocketClient(port: server.port)
        head.send("HEAD \(address)/64x64.jpg HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n")
        let answer = head.readAll()
        #expect(
            answer.hasPrefix("HTTP/1.1 200 ") && answer.hasSuffix("\r\n\r\n") && !answer.contains("Content-Length: 0"))
        let post = try SocketClient(port: server.port)
        post.send("POST /api/favorite HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{}")
        #expect(post.readAll().hasPrefix("HTTP/1.1 415 "))
        // A tag of a picture that is known, on a connection that stays: the second answer shows where the first one ends.
        let tag = try #require(
            await handler.response(to: ServiceRequest(method: "HEAD", target: "\(address)/64x64.jpg")).fields["etag"])
        let known = try SocketClient(port: server.port)
        known.send(
            "GET \(address)/64x64.jpg HTTP/1.1\r\nhost: x\r\nif-none-match: \(tag)\r\n\r\n"
                + "GET /healthz HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n")
        let both = known.readAll()
        let first = try #require(both.range(of: "\r\n\r\n"))
        #expect(both.hasPrefix("HTTP/1.1 304 "))
        #expect(both[first.upperBound...].hasPrefix("HTTP/1.1 200 "))
        let stray = try SocketClient(port: server.port)
        stray.send(
            "POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 100000\r\nconnection: close\r\n\r\n"
                + String(repeating: "a", count: 100_000))
        #expect(stray.readAll().hasPrefix("HTTP/1.1 405 "))
        let large = try SocketClient(port: server.port)
        large.send("GET / HTTP/1.1\r\nhost: x\r\nx: " + String(repeating: "a", count: 1 << 20) + "\r\n\r\n")
        #expect(large.readAll().hasPrefix("HTTP/1.1 431 "))
        #expect(await server.stop(within: .seconds(3600)))
    }

    @Test("a target with a NUL is refused, and not taken for what stands before it")
    func targetWithNUL() async throws {
        let server = try ServiceServer.unhurried(try await GalleryFixture(count: 0).handler())
        for target in ["/healthz\0", "/healthz\0x", "/healthz?a=\0b", "\0"] {
            let client = try SocketClient(port: server.port)
            client.send("GET \(target) HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n")
            let text = client.readAll()
            #expect(text.hasPrefix("HTTP/1.1 400 ") && text.contains("\"malformedTarget\""), "\(text)")
        }
        // Parameters are taken apart in the same memory.
        let client = try SocketClient(port: server.port)
        client.send("GET /healthz?a=%20b&c HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n")
        #expect(client.readAll().hasPrefix("HTTP/1.1 200 "))
        #expect(await server.stop(within: .seconds(3600)))
    }

    @Test("previews come in one answer, and a client that leaves ends the work for them", .endsHangs)
    func previews() async throws {
        let fixture = try await GalleryFixture()
        let handler = fixture.handler()
        let server = try ServiceServer.unhurried(handler)
        let names = try await fixture.addresses(handler).map { $0.dropFirst(3).replacing("/", with: ".") }
        let target = "/api/previews?of=" + names.joined(separator: ",")
        let client = try SocketClient(port: server.port)
        client.send("GET \(target) HTTP/1.1\r\nhost: x\r\n\r\n")
        // The last chunk, and then the same pictures with a length, on the same connection.
        #expect(client.read(until: "\r\n0\r\n\r\n").hasPrefix("HTTP/1.1 200 "))
        client.send("GET \(target) HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n")
        #expect(client.readAll().contains("Content-Length: "))
        #expect(await server.stop(within: .seconds(3600)))
        // Without the last chunk, nobody takes an answer for the whole in which pictures are missing that are there later. The
        // connection ends at once, and not with its idle time.
        let hasty = try await GalleryFixture()
        let hastyHandler = hasty.handler { $0.deadline = .zero }
        let third = try ServiceServer.unhurried(hastyHandler)
        let hastyNames = try await hasty.addresses(hasty.handler()).map { $0.dropFirst(3).replacing("/", with: ".") }
        let broken = try SocketClient(port: third.port)
        broken.send("GET /api/previews?of=\(hastyNames.joined(separator: ",")) HTTP/1.1\r\nhost: x\r\n\r\n")
        let begun = broken.readAll()
        #expect(begun.hasPrefix("HTTP/1.1 200 ") && !begun.hasSuffix("\r\n0\r\n\r\n"))
        #expect(await third.stop(within: .seconds(3600)))
        let renderer = SuspendableRenderer(isSuspended: true)
        let other = try await GalleryFixture(renderer: renderer)
        let second = try ServiceServer.unhurried(other.handler())
        var leaving: SocketClient? = try SocketClient(port: second.port)
        let otherNames = try await other.addresses(other.handler()).map { $0.dropFirst(3).replacing("/", with: ".") }
        leaving?.send("GET /api/previews?of=\(otherNames.joined(separator: ",")) HTTP/1.1\r\nhost: x\r\n\r\n")
        await renderer.waitForCalls(1)
        leaving = nil
        while renderer.stoppedCount < 1 { await Task.yield() }
        while second.counts != (0, 0, 0) { await Task.yield() }
        #expect(await second.stop(within: .seconds(3600)))
        await other.manager.shutdown(graceful: false)
    }

    @Test("an original whose bytes end too early ends its connection at once", .endsHangs)
    func brokenOriginal() async throws {
        let fixture = try await GalleryFixture(count: 0)
        let bytes = try GalleryFixture.photograph(0)
        // Enough for the head, which is read when the asset is added.
        let provider = StepwiseProvider(bytes, claiming: bytes.count + 1)
        try await fixture.library.performChanges { _ = try $0.createAsset(from: [.provider(provider)]) }
        let handler = fixture.handler()
        let server = try ServiceServer.unhurried(handler)
        let address = try #require(await fixture.addresses(handler).first)
        let client = try SocketClient(port: server.port)
        client.send("GET /o\(address.dropFirst(2)) HTTP/1.1\r\nhost: x\r\n\r\n")
        let text = client.readAll()
        #expect(text.hasPrefix("HTTP/1.1 200 ") && text.contains("Content-Length: \(bytes.count + 1)\r\n"))
        #expect(await server.stop(within: .seconds(3600)))
    }

    @Test("nothing is made for a client that has left before its request was read", .endsHangs)
    func earlyLeaving() async throws {
        let file = try GalleryFixture.photograph(0)
        let renderer = SuspendableRenderer { _ in GalleryFixture.image(file) }
        let fixture = try await GalleryFixture(count: 1, renderer: renderer)
        let handler = fixture.handler()
        let address = try await fixture.addresses(handler)[0]
        let gate = DispatchSemaphore(value: 0)
        let statuses = Mutex<[String: Int]>([:])
        let server = try ServiceServer(
            handler: handler,
            configuration: ServiceServer.Configuration {
                ($0.port, $0.threadCount) = (0, 1)
                $0.log = { record in
                    statuses.withLock { $0[record.target] = record.status }
                    // The log is written on the server's only thread, so nothing else is read meanwhile.
                    if record.target == "/healthz" { gate.wait() }
                }
            })
        let first = try SocketClient(port: server.port)
        first.send("GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n")
        #expect(first.read(until: "}").hasPrefix("HTTP/1.1 200 "))
        let previews = "/api/previews?of=" + address.dropFirst(3).replacing("/", with: ".")
        let targets = [address + "/64x64.jpg", previews]
        for target in targets {
            let client = try SocketClient(port: server.port)
            client.send("GET \(target) HTTP/1.1\r\nhost: x\r\n\r\n")
        }
        gate.signal()
        // A client that waits for its picture gets it; it comes after the others.
        let last = try SocketClient(port: server.port)
        last.send("GET \(address)/128x128.jpg HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n")
        #expect(last.readAll().hasPrefix("HTTP/1.1 200 "))
        #expect(await server.stop())
        #expect(renderer.callCount == 1)
        #expect(targets.map { target in statuses.withLock { $0[target] } } == [0, 0])
    }

    @Test("clients that send half a request, or take no response, are sent away, and the others are served", .endsHangs)
    func slowClients() async throws {
        let fixture = try await GalleryFixture(count: 1)
        // Much more than the system's buffers take.
        let bytes = try GalleryFixture.photograph(0)
        try fixture.folder.write("large.jpg", bytes + Array(repeating: 0, count: 32 << 20))
        try await fixture.library.importFolder(at: fixture.folder.path)
        // A download more than the slow clients begin.
        let largeCount = bytes.count + (32 << 20)
        let tenant = ServiceTenant(
            name: "everybody", tokens: [], library: fixture.library, dailyByteLimit: 21 * largeCount)
        let handler = ServiceHandler(tenants: [tenant], manager: fixture.manager, configuration: .unhurried)
        let server = try ServiceServer(
            handler: handler,
            configuration: ServiceServer.Configuration {
                $0.port = 0
                $0.threadCount = 2
                // On a busy machine, a client may take seconds between its connection and its request.
                $0.headerSeconds = 4
                $0.leastBytesPerSecond = 1 << 30
            })
        var addresses = try await fixture.addresses(handler)
        var sizes: [Int] = []
        for address in addresses {
            let head = ServiceRequest(method: "HEAD", target: "/o" + address.dropFirst(2))
            sizes.append(await handler.response(to: head).body.byteCount ?? 0)
        }
        let large = "/o" + addresses.remove(at: sizes[0] > sizes[1] ? 0 : 1).dropFirst(2)
        let silent = try (0..<20).map { _ in try SocketClient(port: server.port) }
        let halves = try (0..<20).map { _ in
            let client = try SocketClient(port: server.port)
            client.send("GET / HTTP/1.1\r\nhost: ")
            return client
        }
        let slow = try (0..<20).map { _ in
            let client = try SocketClient(port: server.port)
            client.send("GET \(large) HTTP/1.1\r\nhost: x\r\n\r\n")
            return client
        }
        let small = "GET \(addresses[0])/64x64.jpg HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n"
        #expect(try SocketClient.answer(port: server.port, small).hasPrefix("HTTP/1.1 200 "))
        // Nothing but the server ends these.
        while server.counts != (0, 0, 0) { await Task.yield() }
        for client in silent + halves { #expect(client.readAll().isEmpty) }
        for client in slow { #expect(client.readAll().utf8.count < 32 << 20) }
        // What was not sent does not count against the quota, which these responses are beyond together with one more, which
        // never ends.
        let whole = await handler.response(to: ServiceRequest(target: large))
        #expect(whole.status == 200 && whole.body.byteCount == largeCount)
        #expect(try SocketClient.answer(port: server.port, small).hasPrefix("HTTP/1.1 200 "))
        #expect(await server.stop(within: .seconds(3600)))
    }

    @Test("a client that leaves cancels its render, and nothing stays behind")
    func leaving() async throws {
        let renderer = SuspendableRenderer(isSuspended: true)
        let fixture = try await GalleryFixture(count: 1, renderer: renderer)
        let handler = fixture.handler()
        let server = try ServiceServer.unhurried(handler)
        let address = try await fixture.addresses(handler)[0]
        for number in 1...5 {
            var client: SocketClient? = try SocketClient(port: server.port)
            client?.send("GET \(address)/64x64.jpg HTTP/1.1\r\nhost: x\r\n\r\n")
            await renderer.waitForCalls(number)
            client = nil
            // The render ends only because the client has left: nothing else would end it.
            while renderer.stoppedCount < number { await Task.yield() }
        }
        while server.counts != (0, 0, 0) { await Task.yield() }
        #expect(handler.metricsText.contains("thumbwheel_service_abandoned_total{tenant=\"everybody\"} 5\n"))
        #expect(await server.stop(within: .seconds(3600)))
        await fixture.manager.shutdown(graceful: false)
    }

    @Test("stopping lets requests end, cancels those that do not, and ends streams of events")
    func stopping() async throws {
        let renderer = SuspendableRenderer(isSuspended: true)
        let fixture = try await GalleryFixture(count: 1, renderer: renderer)
        let handler = fixture.handler { $0.deadline = nil }
        let server = try ServiceServer.unhurried(handler)
        let address = try await fixture.addresses(handler)[0]
        let listener = try SocketClient(port: server.port)
        listener.send("GET /api/events HTTP/1.1\r\nhost: x\r\n\r\n")
        #expect(listener.read(until: "hello").contains("text/event-stream"))
        let waiting = try SocketClient(port: server.port)
        waiting.send("GET \(address)/64x64.jpg HTTP/1.1\r\nhost: x\r\n\r\n")
        await renderer.waitForCalls(1)
        #expect(await server.stop(within: .milliseconds(10)) == false)
        // The worker notices the cancellation by itself.
        while renderer.stoppedCount < 1 { await Task.yield() }
        #expect(waiting.readAll().isEmpty)
        _ = listener.readAll()
        #expect(throws: SocketClient.Refusal.self) { try SocketClient(port: server.port) }
        await fixture.manager.shutdown(graceful: false)
    }

    @Test(
        "a server that is stopping takes no connection, and one request at most on those that it has, while it waits for its renders",
        .endsHangs)
    func refusingWhileStopping() async throws {
        let file = try GalleryFixture.photograph(0)
        let renderer = SuspendableRenderer(isSuspended: true) { _ in GalleryFixture.image(file) }
        let fixture = try await GalleryFixture(count: 1, renderer: renderer)
        let handler = fixture.handler()
        let server = try ServiceServer.unhurried(handler)
        let address = try await fixture.addresses(handler)[0]
        let listener = try SocketClient(port: server.port)
        listener.send("GET /api/events HTTP/1.1\r\nhost: x\r\n\r\n")
        #expect(listener.read(until: "hello").contains("text/event-stream"))
        let asking = try SocketClient(port: server.port)
        asking.send("GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n")
        #expect(!asking.read(until: "ok\"}").lowercased().contains("connection: close"))
        let waiting = try SocketClient(port: server.port)
        waiting.send("GET \(address)/64x64.jpg HTTP/1.1\r\nhost: x\r\n\r\n")
        await renderer.waitForCalls(1)
        async let isClean = server.stop(within: .seconds(3600))
        // The stream ends once the server has begun to stop.
        _ = listener.read(until: "0\r\n\r\n")
        #expect(throws: SocketClient.Refusal.self) { try SocketClient(port: server.port) }
        // Whoever went on asking would keep the server.
        asking.send("GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n")
        let last = asking.read(until: "ok\"}")
        #expect(last.contains("HTTP/1.1 200 ") && last.lowercased().contains("connection: close\r\n"))
        renderer.resume()
        let picture = waiting.read(until: "\r\n\r\n")
        #expect(picture.hasPrefix("HTTP/1.1 200 ") && picture.lowercased().contains("connection: close\r\n"))
        #expect(await isClean)
        await fixture.manager.shutdown(graceful: false)
    }

    @Test("bytes that come one by one after a request do not hold a connection", .endsHangs)
    func tricklingOnKeptConnection() async throws {
        let handler = try await GalleryFixture(count: 0).handler()
        let server = try ServiceServer(
            handler: handler,
            configuration: ServiceServer.Configuration {
                $0.port = 0
                $0.headerSeconds = 4
                $0.idleSeconds = 1
            })
        let (client, text) = try SocketClient.answered(port: server.port) { client in
            client.send("GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n")
            return client.read(until: "ok")
        }
        #expect(text.hasPrefix("HTTP/1.1 200 "))
        // The bytes keep the connection from being idle, and never are the first line of a request.
        while server.counts.connections > 0 {
            client.send("G")
            client.waitBriefly()
        }
        #expect(await server.stop(within: .seconds(3600)))
    }

    @Test(
        "bodies of strangers are not kept, all bodies together have a bound, and a slow one may take its time",
        .endsHangs)
    func bodies() async throws {
        let fixture = try await GalleryFixture(count: 0)
        let sizes = Mutex<[Int]>([])
        let tenant = ServiceTenant(name: "ann", tokens: ["token-of-ann-1234"], library: fixture.library)
        let handler = ServiceHandler(
            tenants: [tenant], manager: fixture.manager,
            configuration: ServiceHandler.Configuration {
                $0.deadline = nil
                $0.traceHandler = { bytes in sizes.withLock { $0.append(bytes.count) } }
            })
        func limit(_ target: String, method: String = "POST", _ fields: HTTPFields) -> Int {
            handler.bodyByteLimit(of: ServiceRequest(method: method, target: target, fields: fields))
        }
        let own: HTTPFields = ["authorization": "Bearer token-of-ann-1234", "content-type": "application/json"]
        #expect(limit("/api/trace", own) == 4 << 20 && limit("/api/favorite?x=1", own) == 1024)
        #expect(limit("/api/trace", method: "GET", own) == 0 && limit("/", own) == 0)
        #expect(limit("/api/trace", ["content-type": "application/json"]) == 0)
        #expect(limit("/api/trace", ["authorization": "Bearer token-of-ann-1234"]) == 0)
        let server = try ServiceServer(
            handler: handler,
            configuration: ServiceServer.Configuration {
                $0.port = 0
                $0.headerSeconds = 2
                $0.leastBytesPerSecond = 100
                $0.bodyByteLimit = 5000
            })
        func head(_ count: Int, _ token: String = "token-of-ann-1234") -> String {
            "POST /api/trace HTTP/1.1\r\nhost: x\r\nauthorization: Bearer \(token)\r\nconnection: close\r\n"
                + "content-type: application/json\r\ncontent-length: \(count)\r\n\r\n"
        }
        let stranger = head(100_000, "token-of-eve-1234") + String(repeating: "a", count: 100_000)
        #expect(try SocketClient.answer(port: server.port, stranger).hasPrefix("HTTP/1.1 401 "))
        let refusal = try SocketClient.answer(port: server.port, head(6000) + String(repeating: "a", count: 6000))
        #expect(refusal.hasPrefix("HTTP/1.1 503 ") && refusal.contains("retry-after: 1\r\n"))
        #expect(refusal.hasSuffix("{\"error\":\"busy\",\"message\":\"too much is asked for at present\"}\n"))
        // Six seconds, of which two are a header's, at five times the speed that is asked for.
        let slow = try SocketClient.answered(port: server.port) { client in
            client.send(head(3000))
            for _ in 0..<60 {
                client.send(String(repeating: "a", count: 50))
                client.waitBriefly()
            }
            return client.readAll()
        }
        #expect(slow.text.hasPrefix("HTTP/1.1 204 "))
        // More than one if the machine stood still when an answer was to be sent.
        #expect(Set(sizes.withLock { $0 }) == [3000])
        #expect(await server.stop(within: .seconds(3600)))
    }

    @Test("a list of albums that hangs holds up nobody else's answer", .endsHangs)
    func heldLists() async throws {
        let fixture = try await GalleryFixture(count: 1)
        let policy = HeldPolicy()
        let tenant = ServiceTenant(
            name: "held", tokens: ["token-of-held-1234"], library: fixture.library.view(for: policy), waitingLimit: 8)
        let other = ServiceTenant(name: "other", tokens: ["token-of-other-1234"], library: fixture.library)
        let handler = ServiceHandler(
            tenants: [tenant, other], manager: fixture.manager,
            configuration: ServiceHandler.Configuration { $0.deadline = nil })
        let server = try ServiceServer.unhurried(handler, threadCount: 1)
        policy.hold()
        func request(_ target: String, _ name: String) -> String {
            "GET \(target) HTTP/1.1\r\nhost: x\r\nauthorization: Bearer token-of-\(name)-1234\r\n"
                + "connection: close\r\n\r\n"
        }
        var waiting: [SocketClient] = []
        for target in ["/api/albums", "/api/grid", "/api/events"] {
            for _ in 0..<4 {
                let client = try SocketClient(port: server.port)
                client.send(request(target, "held"))
                waiting.append(client)
                // The first one is being made before the others come.
                await policy.waitForCall()
            }
        }
        for target in ["/healthz", "/api/albums", "/api/grid"] {
            let client = try SocketClient(port: server.port)
            client.send(request(target, "other"))
            #expect(client.readAll().hasPrefix("HTTP/1.1 200 "), "\(target)")
        }
        // One is being made and eight wait; the others have been refused.
        while server.counts.requests != 9 { await Task.yield() }
        policy.release()
        let answers = waiting.map { $0.read(until: "\r\n\r\n").prefix(12) }
        #expect(answers.filter { $0 == "HTTP/1.1 200" }.count == 9, "\(answers)")
        #expect(answers.filter { $0 == "HTTP/1.1 503" }.count == 3)
        waiting = []
        _ = await server.stop()
        await fixture.manager.shutdown(graceful: false)
    }

    @Test("a server stops though a disk hangs from which a picture is to be made", .endsHangs)
    func stoppingBesideHangingDisk() async throws {
        let fixture = try await GalleryFixture(count: 1)
        let disk = HeldCalls()
        var handler = fixture.handler { $0.roots = [fixture.folder.path] }
        handler.isReallyInside = { resident, asset in
            disk.pass()
            return resident.isReallyInside(asset)
        }
        let server = try ServiceServer.unhurried(handler)
        let address = try await fixture.addresses(handler)[0]
        disk.hold()
        let client = try SocketClient(port: server.port)
        client.send("GET \(address)/64x64.jpg HTTP/1.1\r\nhost: x\r\n\r\n")
        await disk.waitForCalls()
        #expect(await server.stop(within: .zero) == false)
        #expect(client.readAll().isEmpty && server.counts.suspended == 0)
        disk.release()
        await fixture.manager.shutdown(graceful: false)
    }

    @Test("a host that is no address, and a port that another has, are errors")
    func refusals() async throws {
        let handler = try await GalleryFixture(count: 0).handler()
        #expect(throws: ServerError.invalidHost("nowhere.example")) {
            try ServiceServer(
                handler: handler, configuration: ServiceServer.Configuration { $0.host = "nowhere.example" })
        }
        let server = try ServiceServer.unhurried(handler)
        #expect(throws: ServerError.cannotListen(host: "127.0.0.1", port: server.port)) {
            try ServiceServer(handler: handler, configuration: ServiceServer.Configuration { $0.port = server.port })
        }
        await server.stop()
    }
}
