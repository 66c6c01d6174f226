import Foundation
import TestSupport
import Testing
import Thumbwheel
import ThumbwheelHTTP

private typealias Answer = LoopbackServer.Answer

/// Parts of files, as an import reads them.
@Suite(.endsHangs) struct HTTPRangeTests {
    private let contents = (0..<400_000).map { UInt8(truncatingIfNeeded: $0 ^ $0 >> 8) }

    private func open(_ server: LoopbackServer) throws(ByteSourceError) -> any ByteSource {
        try HTTPClient(configuration: HTTPClient.Configuration { $0.retryLimit = 0 }).resource(at: server.url()).open()
    }

    @Test("ranges come as they are asked for, each byte once, over one connection")
    func ranges() throws {
        let contents = contents
        let server = try LoopbackServer { Answer.file(contents, to: $0) }
        let source = try open(server)
        #expect(source.byteCount == contents.count)
        for range in [0..<10, 65_530..<65_550, 300_000..<400_000, 100_000..<350_000, 399_999..<500_000, 5..<5] {
            #expect(try source.bytes(in: range) == Array(contents[range.clamped(to: 0..<contents.count)]))
        }
        #expect(try source.bytes() == contents)
        let ranges = server.requests.compactMap { $0["Range"] }
        #expect(ranges == ["bytes=0-65535", "bytes=65536-131071", "bytes=262144-399999", "bytes=131072-262143"])
        #expect(server.requests.dropFirst().allSatisfy { $0["If-Range"] == "\"1\"" })
        #expect(server.connectionCount == 1)
    }

    @Test("of a long file the last mebibyte is kept, and of one that came as a whole, all")
    func kept() throws {
        let contents = (0..<40 * 65_536).map { UInt8(truncatingIfNeeded: $0 ^ $0 >> 8) }
        let server = try LoopbackServer { Answer.file(contents, to: $0) }
        let source = try open(server)
        for number in 0..<40 { _ = try source.bytes(in: number * 65_536..<number * 65_536 + 1) }
        _ = try source.bytes(in: 24 * 65_536..<40 * 65_536)
        #expect(server.requests.count == 40)
        #expect(try source.bytes(in: 23 * 65_536..<23 * 65_536 + 9) == Array(contents[23 * 65_536..<23 * 65_536 + 9]))
        #expect(server.requests.count == 41, "an older block is fetched again")
        let whole = try LoopbackServer { _ in Answer(body: contents) }
        #expect(try open(whole).bytes() == contents && whole.requests.count == 1)
    }

    @Test("a server that knows no ranges sends all of it, once", arguments: [true, false])
    func noRanges(tellsLength: Bool) throws {
        let contents = contents
        let server = try LoopbackServer { _ in Answer(body: contents, tellsLength: tellsLength) }
        let source = try open(server)
        #expect(source.byteCount == contents.count)
        #expect(try source.bytes() == contents)
        #expect(server.requests.count == 1)
    }

    @Test("a file that changes between two ranges is an error, however the server tells")
    func changed() throws {
        let (contents, longer) = (contents, contents + [0])
        let changes: [@Sendable (LoopbackServer.Request) -> Answer] = [
            { Answer.file(contents, tag: $0.number == 1 ? "\"1\"" : "\"2\"", to: $0) },
            { Answer.file(contents, tag: "\"\($0.number)\"", heedsConditions: false, to: $0) },
            { Answer.file($0.number == 1 ? contents : longer, tag: nil, to: $0) },
            { Answer.file(contents, tag: $0.number == 1 ? "W/\"1\"" : "W/\"2\"", to: $0) },
        ]
        for change in changes {
            let server = try LoopbackServer(change)
            let source = try open(server)
            #expect(throws: ByteSourceError.network(.changed)) { try source.bytes(in: 100_000..<100_001) }
            // What was read before is still there.
            #expect(try source.bytes(in: 0..<100) == Array(contents[..<100]))
        }
    }

    @Test("an answer about another part, or about none, is an error")
    func nonsense() throws {
        let texts = [
            "bytes 5-10/400000", "bytes 0-5", "bytes */400000", "bytes 0-70000/400000", "bytes 9-3/20", "lines 0-5/9",
        ]
        for text in texts {
            let server = try LoopbackServer { _ in
                Answer(status: 206, headers: [("Content-Range", text)], body: [1, 2, 3, 4, 5, 6])
            }
            let error = #expect(throws: ByteSourceError.self) { try open(server) }
            guard case .network(.invalidResponse) = error else {
                Issue.record("\(text): \(String(describing: error))")
                continue
            }
        }
    }

    @Test("an empty file is empty")
    func empty() throws {
        let server = try LoopbackServer { Answer.file([], to: $0) }
        #expect(try open(server).byteCount == 0)
        let plain = try LoopbackServer { _ in Answer() }
        #expect(try open(plain).bytes() == [])
    }

    @Test("a photograph is described by its first range, and rendered from a fetch of all of it")
    func photograph() async throws {
        let bitmap = Bitmap(size: PixelSize(width: 600, height: 400), format: .rgb) { pixels in
            for index in pixels.indices { pixels[index] = UInt8(truncatingIfNeeded: index &* index) }
        }
        let photograph = try bitmap.encoded(as: .jpeg(quality: 95))
        let server = try LoopbackServer { Answer.file(photograph, to: $0) }
        let library = PhotoLibrary()
        let client = HTTPClient()
        let resource = try await AssetResource.provider(client.resource(at: server.url())).readingHead()
        try await library.performChanges { try $0.createAsset(from: [resource]) }
        let asset = try #require(library.fetchAssets().first)
        #expect(asset.pixelSize == bitmap.size)
        #expect(asset.fileSize == photograph.count)
        #expect(!asset.isLocallyAvailable)
        let manager = ImageManager.undisturbed()
        let size = PixelSize(width: 60, height: 60)
        await #expect(throws: ImageRequestError.networkAccessRequired) {
            try await manager.image(for: asset, targetSize: size)
        }
        #expect(server.requests.count == 1)
        let options = ImageRequestOptions { $0.isNetworkAccessAllowed = true }
        _ = try await manager.image(for: asset, targetSize: size, options: options)
        #expect(server.requests.count == 2)
        #expect(server.requests.last?["Range"] == nil)
    }
}
