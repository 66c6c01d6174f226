import Foundation
import Testing
import ThumbwheelCore
import ThumbwheelFormats
import ThumbwheelLocks

@testable import ThumbwheelAssets

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

@Suite("Folders that nobody should have") struct BadImportTests {
    private let library = PhotoLibrary()
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private final class Counter: Sendable {
        private let state = Mutex(0)

        func take() -> Int {
            state.withLock { count in
                defer { count = 0 }
                return count
            }
        }

        @discardableResult
        func count() -> Int {
            state.withLock { count in
                count += 1
                return count
            }
        }
    }

    @Test("files that vanish between listing and reading are reported, and the others imported")
    func vanishing() async throws {
        for number in 1000..<1300 { try folder.write("\(number).png", TinyImages.png(4, 3)) }
        let path = folder.path
        // The first batch of files has been read, and the last file has been listed.
        let report = try await library.importFolder(at: path) { progress in
            if progress.doneCount < 200 { try? FileManager.default.removeItem(atPath: path + "/1299.png") }
        }
        #expect(report.added.count == 299 && report.skipped.count == 1)
        guard case .unreadable(.notFound) = report.skipped.first?.reason else {
            return #expect(Bool(false), "\(report.skipped)")
        }
        #expect(report.skipped[0].path.hasSuffix("/1299.png"))
        #expect(try await library.importFolder(at: path).skipped.isEmpty)
    }

    @Test("a known file that changes and vanishes during an import leaves its asset to the next one")
    func vanishingAsset() async throws {
        for number in 1000..<1300 { try folder.write("\(number).png", TinyImages.png(4, 3)) }
        let path = folder.path
        try await library.importFolder(at: path)
        for number in 1000..<1300 { try folder.write("\(number).png", TinyImages.png(4, 4) + [0]) }
        let report = try await library.importFolder(at: path) { progress in
            if progress.doneCount < 200 { try? FileManager.default.removeItem(atPath: path + "/1299.png") }
        }
        #expect(report.changed.count == 299 && report.removed.isEmpty && report.skipped.count == 1)
        #expect(try await library.importFolder(at: path).removed.map(\.originalFilename) == ["1299.png"])
    }

    @Test("links between folders, to themselves and upwards end, for imports and for watched folders")
    func links() async throws {
        try folder.write("a/one.png", TinyImages.png(4, 3))
        try folder.write("b/two.png", TinyImages.png(5, 3))
        try folder.link("a/b", to: "../b")
        try folder.link("b/a", to: "../a")
        try folder.link("a/self", to: ".")
        try folder.link("b/top", to: "..")
        try folder.link("knot", to: "knot")
        let report = try await library.importFolder(at: folder.path)
        #expect(Set(report.added.map(\.originalFilename)) == ["one.png", "two.png"] && report.added.count == 2)
        #expect(report.skipped.count == 1 && report.skipped[0].path.hasSuffix("/knot"))
        #expect(try await library.importFolder(at: folder.path).alreadyPresentCount == 2)
        let kernel = ManualKernel()
        let follower = try library.follower(of: folder.path, FollowOptions(), kernel) { _ in }
        var run = follower.begin()
        kernel.state.withLock { $0.limit = .seconds(1) }
        repeat { follower.step(&run) } while !kernel.isAtLimit
        #expect(kernel.watched.count == 3)
    }

    @Test("a folder of which only a part can be listed is reported, and no file in it counts as gone")
    func listingError() async throws {
        for number in 0..<20 { try folder.write("sub/\(number).png", TinyImages.png(4, UInt8(number + 1))) }
        try folder.write("a.png", TinyImages.png(9, 9))
        try folder.write("b.png", TinyImages.png(9, 8))
        let added = try await library.importFolder(at: folder.path).added
        try #require(added.count == 22)
        try FileManager.default.removeItem(atPath: folder.path + "/b.png")
        let path = FilePath(try FileStatus.canonicalPath(folder.path))
        // The disk fails in the middle of the inner folder, which is the one with more than ten items.
        let counts = Mutex<[UInt: Int]>([:])
        let reading: FolderListing.Reading = { folder in
            let name = UInt(bitPattern: folder)
            let count = counts.withLock { counts in
                let count = (counts[name] ?? 0) + 1
                counts[name] = count
                return count
            }
            guard count <= 10 else {
                errno = EIO
                return nil
            }
            return readdir(folder)
        }
        #expect(throws: FileStatus.Failure.self) { _ = try FolderListing(path.appending("sub"), reading: reading) }
        counts.withLock { $0 = [:] }
        var walk = FolderWalk(token: CancellationToken(), reading: reading)
        try walk.add(path.text, mustBeFolder: true)
        #expect(walk.skipped.map(\.path) == [path.appending("sub").text])
        guard case .unreadable(.unreadable(_, EIO)) = walk.skipped.first?.reason else {
            return #expect(Bool(false), "\(walk.skipped)")
        }
        var known = KnownFiles(library.snapshot)
        let report = try library.runImport(walk, &known, ImportOptions(), CancellationToken(), nil)
        #expect(report.removed.map(\.originalFilename) == ["b.png"] && library.countOfAssets() == 21)
    }

    @Test("a clock that goes back, and files that get older, are changes like others")
    func clocks() async throws {
        let clock = Counter()
        let library = PhotoLibrary(now: { Date(timeIntervalSince1970: 2e9 - 1e6 * Double(clock.count())) })
        try folder.write("a.png", TinyImages.png(4, 3))
        try folder.write("b.png", TinyImages.png(4, 4))
        let first = try await library.importFolder(at: folder.path).added
        try folder.write("a.png", TinyImages.png(4, 5) + [0])
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: -5_000_000)], ofItemAtPath: folder.path + "/a.png")
        try FileManager.default.removeItem(atPath: folder.path + "/b.png")
        let second = try await library.importFolder(at: folder.path)
        #expect(second.changed == FetchResult([first[0]]) && second.removed == FetchResult([first[1]]))
        let changed = try #require(library.fetchAssets().first)
        // The dates are the clock's, and versions rise all the same.
        #expect(try #require(changed.modificationDate) < #require(changed.addedDate))
        #expect(changed.contentVersion > first[0].contentVersion && changed.pixelHeight == 5)
        #expect(try await library.importFolder(at: folder.path).alreadyPresentCount == 1)
        let history = try library.fetchPersistentChanges(since: library.currentChangeToken)
        #expect(history.isEmpty && library.snapshot.brokenInvariants.isEmpty)
    }

    @Test(
        "dates of year 0 and days that are none are no dates, and the file's date counts",
        arguments: [
            "0000:00:00 00:00:00", "0000:01:01 12:00:00", "2020:00:01 12:00:00", "2020:02:31 12:00:00",
            "9999:99:99 99:99:99",
        ])
    func dates(text: String) async throws {
        var bytes = TinyImages.jpeg()
        let good = Array("2020:01:01 12:00:00".utf8)
        let place = try #require((0..<bytes.count - good.count).first { Array(bytes[$0..<$0 + good.count]) == good })
        bytes.replaceSubrange(place..<place + good.count, with: Array(text.utf8))
        try folder.write("a.jpg", bytes)
        let date = Date(timeIntervalSince1970: 1_000_000_000.5)
        try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: folder.path + "/a.jpg")
        let asset = try await library.importFolder(at: folder.path).added[0]
        #expect(asset.creationDate == date && asset.pixelWidth == 8)
    }

    @Test(
        "places beyond the poles and the date line are none",
        arguments: [
            ("91,0N", "10,0E"), ("90,0.1S", "10,0E"), ("10,0N", "181,0E"), ("10,0N", "180,0.1W"), ("nan", "10,0E"),
        ])
    func places(latitude: String, longitude: String) async throws {
        try folder.write(
            "a.jpg", TinyPhotographs.jpeg("exif:GPSLatitude='\(latitude)' exif:GPSLongitude='\(longitude)'"))
        try folder.write("pole.jpg", TinyPhotographs.jpeg("exif:GPSLatitude='90,0S' exif:GPSLongitude='180,0W'"))
        let assets = try await library.importFolder(at: folder.path).added
        #expect(assets[0].location == nil && assets[1].location == Location(latitude: -90, longitude: -180))
    }

    /// Three thousand, unless `THUMBWHEEL_FILE_COUNT` says something else: a million files take some minutes and 4 GB.
    private static let fileCount =
        ProcessInfo.processInfo.environment["THUMBWHEEL_FILE_COUNT"].flatMap { Int($0) } ?? 3000

    @Test("in a folder of thousands of files, or of a million, an import reads what is new and nothing else")
    func manyFiles() async throws {
        let count = Self.fileCount
        for number in 0..<count {
            let tail = withUnsafeBytes(of: number) { Array($0) }
            try folder.writeQuickly("\(number).png", TinyImages.png(4, UInt8(number % 200 + 1)) + tail)
        }
        let reads = Counter()
        let options = ImportOptions(thumbHash: { _ in
            reads.count()
            return nil
        })
        #expect(try await library.importFolder(at: folder.path, options: options).added.count == count)
        #expect(reads.take() == count && library.countOfAssets() == count)
        #expect(try await library.importFolder(at: folder.path, options: options).alreadyPresentCount == count)
        #expect(reads.take() == 0)
        try folder.write("new.png", TinyImages.png(9, 9))
        try folder.write("7.png", TinyImages.png(9, 8) + [0])
        try FileManager.default.moveItem(atPath: folder.path + "/8.png", toPath: folder.path + "/eight.png")
        let report = try await library.importFolder(at: folder.path, options: options)
        #expect(report.added.count == 1 && report.changed.count == 1 && report.moved.count == 1 && reads.take() == 2)
        #expect(library.countOfAssets() == count + 1 && library.snapshot.brokenInvariants.isEmpty)
    }
}
