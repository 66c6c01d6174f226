import TestSupport
import Testing
import Thumbwheel
import ThumbwheelService

@Suite("The making of placeholders", .endsHangs)
struct PlaceholderMakerTests {
    /// A maker whose calls of `setMissing` come as numbers of assets, or as -1 for all.
    private func maker(_ fixture: GalleryFixture) -> (PlaceholderMaker, AsyncStream<Int>.Iterator) {
        let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
        let maker = PlaceholderMaker(
            fixture.library, fixture.manager, width: 1, isBusy: { false },
            setMissing: { continuation.yield($0?.count ?? -1) })
        return (maker, stream.makeAsyncIterator())
    }

    @Test("what runs into a limit is not decoded again after each import, until its file changes")
    func limits() async throws {
        let renderer = SuspendableRenderer { _ in .failure(.rendering(.limitExceeded(limit: .pixels))) }
        let fixture = try await GalleryFixture(count: 2, renderer: renderer)
        var (maker, calls) = maker(fixture)
        maker.make([])
        #expect(await calls.next() == -1)
        #expect(await calls.next() == 0)
        let first = renderer.callCount
        #expect(first >= 2)
        maker.make([])
        for _ in 0..<2 { #expect(await calls.next() == 0) }
        #expect(renderer.callCount == first)
        try fixture.folder.write("photo-0.jpg", try GalleryFixture.photograph(7))
        let report = try await fixture.library.importFolder(at: fixture.folder.path)
        try #require(report.changed.count == 1)
        maker.make(report.changed.map(\.identifier))
        #expect(await calls.next() == 1)
        #expect(await calls.next() == 0)
        #expect(renderer.callCount > first)
        await fixture.manager.shutdown(graceful: false)
    }

    @Test("what cannot be had for a moment is tried again")
    func passingFailures() async throws {
        let renderer = SuspendableRenderer { _ in .failure(.rendering(.unavailable(reason: "for now"))) }
        let fixture = try await GalleryFixture(count: 1, renderer: renderer)
        var (maker, calls) = maker(fixture)
        maker.make([])
        for expected in [-1, 0] { #expect(await calls.next() == expected) }
        let first = renderer.callCount
        maker.make([])
        for _ in 0..<2 { #expect(await calls.next() == 0) }
        #expect(renderer.callCount > first)
        await fixture.manager.shutdown(graceful: false)
    }

    @Test("assets that came are missing until a pass that has listed them has ended")
    func missing() async throws {
        let renderer = SuspendableRenderer(isSuspended: true)
        let fixture = try await GalleryFixture(count: 2, renderer: renderer)
        let identifiers = fixture.library.fetchAssets().map(\.identifier)
        var (maker, calls) = maker(fixture)
        maker.make(identifiers)
        #expect(await calls.next() == -1)
        await renderer.waitForCalls(1)
        // The first pass has listed its assets, and may not have seen this one.
        maker.make([identifiers[0]])
        #expect(await calls.next() == -1)
        renderer.resume()
        #expect(await calls.next() == 1)
        #expect(await calls.next() == 0)
        maker.make([identifiers[1]])
        #expect(await calls.next() == 1)
        #expect(await calls.next() == 0)
        await fixture.manager.shutdown(graceful: false)
    }
}
