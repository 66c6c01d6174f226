import TestSupport
import Testing
import Thumbwheel
import ThumbwheelServer
import ThumbwheelService

@Suite("Originals over a socket", .endsHangs)
struct OriginalsTests {
    /// Adds a photograph whose bytes a provider has, and returns its address.
    private func add(
        _ provider: StepwiseProvider, _ fixture: GalleryFixture, _ handler: ServiceHandler
    ) async throws -> String {
        try await fixture.library.performChanges { _ = try $0.createAsset(from: [.provider(provider)]) }
        // The newest come first, and what has no date last.
        let address = try #require(await fixture.addresses(handler).last)
        return "/o" + address.dropFirst(2)
    }

    private func request(_ address: String, _ fields: String = "") -> String {
        "GET \(address) HTTP/1.1\r\nhost: x\r\n\(fields)connection: close\r\n\r\n"
    }

    @Test("all bytes come, and those of ranges, also of files of many blocks")
    func blocks() async throws {
        let fixture = try await GalleryFixture(count: 0)
        let rest = (0..<1_000_001).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 7) }
        let bytes = try GalleryFixture.photograph(0) + rest
        try fixture.folder.write("large.jpg", bytes)
        try await fixture.library.importFolder(at: fixture.folder.path)
        let handler = fixture.handler()
        let server = try ServiceServer.unhurried(handler)
        let address = "/o" + (try #require(await fixture.addresses(handler).first)).dropFirst(2)
        let count = bytes.count
        for range in [0..<count, 0..<1, 0..<131_072, 131_071..<131_073, 5..<900_000, count - 7..<count] {
            let client = try SocketClient(port: server.port)
            client.send(request(address, "range: bytes=\(range.lowerBound)-\(range.upperBound - 1)\r\n"))
            let answer = client.readAllBytes()
            #expect(answer.starts(with: Array("HTTP/1.1 206 ".utf8)))
            #expect(answer.suffix(range.count) == bytes[range], "\(range)")
        }
        // On one connection, one after another.
        let client = try SocketClient(port: server.port)
        client.send("GET \(address) HTTP/1.1\r\nhost: x\r\n\r\n" + request(address))
        let answer = client.readAllBytes()
        #expect(answer.count > 2 * bytes.count && answer.suffix(bytes.count) == bytes[...])
        #expect(await server.stop(within: .seconds(3600)))
    }

    @Test("a read that hangs holds up nobody else, and its connection ends with its client")
    func hangingReads() async throws {
        let fixture = try await GalleryFixture(count: 1)
        let handler = fixture.handler()
        let bytes = try GalleryFixture.photograph(1)
        let provider = StepwiseProvider(bytes)
        let hanging = try await add(provider, fixture, handler)
        let addresses = try await fixture.addresses(handler).map { "/o" + $0.dropFirst(2) }
        let other = try #require(addresses.first { $0 != hanging })
        let server = try ServiceServer.unhurried(handler, threadCount: 1)
        provider.suspend()
        let waiting = try (0..<2).map { _ in try SocketClient(port: server.port) }
        var leaving: SocketClient? = try SocketClient(port: server.port)
        for client in waiting + [leaving!] { client.send(request(hanging)) }
        await provider.waitForHeldReads(3)
        for target in ["/healthz", other] {
            let client = try SocketClient(port: server.port)
            client.send(request(target))
            #expect(client.readAll().hasPrefix("HTTP/1.1 200 "), "\(target)")
        }
        leaving = nil
        while server.counts.requests != 2 { await Task.yield() }
        provider.resume()
        for client in waiting { #expect(client.readAllBytes().suffix(bytes.count) == bytes[...]) }
        while server.counts != (0, 0, 0) { await Task.yield() }
        #expect(await server.stop(within: .seconds(3600)))
    }

    @Test("a server that is stopped does not wait for reads that hang")
    func stopping() async throws {
        let fixture = try await GalleryFixture(count: 0)
        let handler = fixture.handler()
        let provider = StepwiseProvider(try GalleryFixture.photograph(1))
        let address = try await add(provider, fixture, handler)
        let server = try ServiceServer.unhurried(handler)
        provider.suspend()
        let client = try SocketClient(port: server.port)
        client.send(request(address))
        await provider.waitForHeldReads()
        #expect(await server.stop(within: .milliseconds(10)) == false)
        #expect(client.readAll().hasPrefix("HTTP/1.1 200 "))
        provider.resume()
    }
}
