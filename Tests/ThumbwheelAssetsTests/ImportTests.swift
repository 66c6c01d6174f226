import Foundation
import Testing
import ThumbwheelAssets
import ThumbwheelCore
import ThumbwheelFormats
import ThumbwheelLocks

@Suite struct ImportTests {
    private func names(_ assets: FetchResult<Asset>) -> [String] { assets.map(\.originalFilename) }

    @Test("a folder is imported in the order of names, what is no image is reported, what is hidden is not")
    func folder() async throws {
        let folder = try TemporaryFolder()
        try folder.write("c.jpg", TinyImages.jpeg())
        try folder.write("a/z.png", TinyImages.png(4, 3))
        try folder.write("b.bmp", TinyImages.bmp(5, 2))
        try folder.write("notes.txt", Array("some words about the photographs".utf8))
        try folder.write("wrong.png", TinyImages.jpeg(day: 2))
        try folder.write("broken.png", TinyImages.png(0, 3))
        try folder.write("empty.jpg", [])
        try folder.write(".hidden.png", TinyImages.png(1, 1))
        try folder.write(".git/x.png", TinyImages.png(1, 1))

        let time = Date(timeIntervalSince1970: 5)
        let library = PhotoLibrary(now: { time })
        let report = try await library.importFolder(at: folder.path)
        #expect(names(report.added) == ["z.png", "b.bmp", "c.jpg", "wrong.png"])
        #expect(report.added == library.fetchAssets())
        #expect(report.added.map(\.contentType) == [.png, .bmp, .jpeg, .jpeg])
        #expect(report.added.allSatisfy { $0.addedDate == time && $0.modificationDate != nil && $0.fileSize > 0 })
        let reasons = Dictionary(
            uniqueKeysWithValues: report.skipped.map { (URL(filePath: $0.path).lastPathComponent, $0.reason) })
        #expect(reasons.count == 3)
        #expect(reasons["notes.txt"] == .notAnImage)
        #expect(reasons["empty.jpg"] == .notAnImage)
        guard case .damaged(.malformed) = reasons["broken.png"] else {
            Issue.record("broken.png: \(String(describing: reasons["broken.png"]))")
            return
        }
    }

    @Test("importing again adds nothing, by folder, by part of it or by file")
    func again() async throws {
        let folder = try TemporaryFolder()
        try folder.write("a/b/one.png", TinyImages.png(4, 3))
        try folder.write("two.png", TinyImages.png(4, 3))
        let library = PhotoLibrary()
        #expect(try await library.importFolder(at: folder.path).added.count == 2)
        let report = try await library.importFiles([
            folder.path, folder.path + "/a/../two.png", folder.path + "/a/b/", folder.path + "/a/b/one.png",
        ])
        #expect(report.added.isEmpty)
        // The folder inside is not entered a second time.
        #expect(report.alreadyPresentCount == 4)
        #expect(library.fetchAssets().count == 2)
    }

    @Test("another library gives the same files the same identifiers, wherever their folder was moved")
    func stableIdentifiers() async throws {
        var identifiers: [[AssetIdentifier]] = []
        for _ in 0..<2 {
            let folder = try TemporaryFolder()
            try folder.write("album/a.png", TinyImages.png(4, 3))
            try folder.write("album/b/a.png", TinyImages.png(4, 3))
            let report = try await PhotoLibrary().importFolder(at: folder.path + "/album")
            identifiers.append(report.added.map(\.identifier))
        }
        #expect(identifiers[0] == identifiers[1])
        #expect(Set(identifiers[0]).count == 2)
        // Written down, so that a change of the derivation does not go unseen.
        #expect(identifiers[0][0].localIdentifier == "68A49438-E8F9-D5C9-1651-DFB3F3FEEF37/L0/001")
    }

    @Test("files of the same name in folders of the same name are different assets")
    func sameNames() async throws {
        let folder = try TemporaryFolder()
        try folder.write("x/album/a.png", TinyImages.png(4, 3))
        try folder.write("y/album/a.png", TinyImages.png(5, 3))
        let library = PhotoLibrary()
        let report = try await library.importFiles([folder.path + "/x/album", folder.path + "/y/album"])
        #expect(report.added.map(\.pixelWidth) == [4, 5])
        #expect(Set(report.added.map(\.identifier)).count == 2)
    }

    @Test("links that lead in circles end, and dead ones are reported")
    func links() async throws {
        let folder = try TemporaryFolder()
        try folder.write("a/one.png", TinyImages.png(4, 3))
        try folder.link("a/up", to: folder.path)
        try folder.link("a/again", to: folder.path + "/a")
        try folder.link("dead", to: folder.path + "/nothing")
        try folder.link("linked.png", to: folder.path + "/a/one.png")
        let report = try await PhotoLibrary().importFolder(at: folder.path)
        #expect(names(report.added) == ["one.png", "linked.png"])
        #expect(report.skipped.count == 1)
        guard case .unreadable(.notFound) = report.skipped.first?.reason else {
            Issue.record("dead: \(report.skipped)")
            return
        }
    }

    @Test("what cannot be imported at all is a typed error")
    func errors() async throws {
        let folder = try TemporaryFolder()
        try folder.write("one.png", TinyImages.png(4, 3))
        let library = PhotoLibrary()
        await #expect(throws: ImportError.notFound(path: folder.path + "/none")) {
            try await library.importFolder(at: folder.path + "/none")
        }
        await #expect(throws: ImportError.notAFolder(path: folder.path + "/one.png")) {
            try await library.importFolder(at: folder.path + "/one.png")
        }
        await #expect(throws: ImportError.notFound(path: "")) { try await library.importFiles([""]) }
        #expect(library.fetchAssets().isEmpty)
    }

    @Test("progress rises to the number of files")
    func progress() async throws {
        let folder = try TemporaryFolder()
        for number in 0..<300 { try folder.write("\(number).png", TinyImages.png(4, 3)) }
        let seen = ProgressLog()
        let report = try await PhotoLibrary().importFolder(at: folder.path) { seen.append($0) }
        #expect(report.added.count == 300)
        let counts = seen.values.map(\.doneCount)
        #expect(counts == counts.sorted())
        #expect(counts.last == 300)
        #expect(seen.values.allSatisfy { $0.totalCount == 300 })
    }

    @Test("a cancelled import adds nothing")
    func cancelling() async throws {
        let folder = try TemporaryFolder()
        for number in 0..<300 { try folder.write("\(number).png", TinyImages.png(4, 3)) }
        let library = PhotoLibrary()
        let gate = Gate()
        let path = folder.path
        let task = Task {
            // The first batch is done and the second has not begun: the import stands here until it is cancelled.
            try await library.importFolder(at: path) { _ in gate.pass() }
        }
        await gate.waitUntilReached()
        task.cancel()
        gate.open()
        await #expect(throws: ImportError.cancelled) { try await task.value }
        #expect(library.fetchAssets().isEmpty)
    }
}

private final class ProgressLog: Sendable {
    private let log = Mutex<[ImportProgress]>([])

    func append(_ progress: ImportProgress) { log.withLock { $0.append(progress) } }

    var values: [ImportProgress] { log.withLock { $0 } }
}

/// Holds up the thread that reaches it until it is opened, and lets a task wait for that without a thread of its own.
private final class Gate: Sendable {
    private let opened = DispatchSemaphore(value: 0)
    private let arrivals: (stream: AsyncStream<Void>, continuation: AsyncStream<Void>.Continuation) =
        AsyncStream
        .makeStream()

    func pass() {
        arrivals.continuation.yield()
        opened.wait()
        opened.signal()
    }

    func waitUntilReached() async {
        for await _ in arrivals.stream { return }
    }

    func open() { opened.signal() }
}
