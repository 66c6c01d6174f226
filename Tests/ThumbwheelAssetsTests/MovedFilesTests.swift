import Foundation
import Testing
import ThumbwheelCore
import ThumbwheelLocks

@testable import ThumbwheelAssets

@Suite("Files that were renamed or moved are found again") struct MovedFilesTests {
    private let library = PhotoLibrary()
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// Numbers from a seed (SplitMix64).
    private struct Seeded: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var word = (state ^ state &>> 30) &* 0xBF58_476D_1CE4_E5B9
            word = (word ^ word &>> 27) &* 0x94D0_49BB_1331_11EB
            return word ^ word &>> 31
        }
    }

    /// Counts the files that an import reads, for each of which it asks for a hash.
    private final class Counter: Sendable {
        private let state = Mutex(0)

        var value: Int { state.withLock { $0 } }

        func count() -> ThumbHash? {
            state.withLock { $0 += 1 }
            return nil
        }
    }

    /// A picture that no other number has.
    private func picture(_ number: UInt8) -> [UInt8] { TinyImages.png(4, 3) + [number] }

    /// A picture of more than twice the sampled bytes, whose ends are the same for all numbers.
    private func longPicture(_ number: UInt8) -> [UInt8] {
        let padding = [UInt8](repeating: 7, count: 6000)
        return TinyImages.png(4, 3) + padding + [number] + padding
    }

    @discardableResult
    private func run(_ part: String = "") async throws -> ImportReport {
        try await library.importFolder(at: folder.path + part)
    }

    private func move(_ name: String, _ other: String) throws {
        let target = URL(filePath: folder.path + "/" + other)
        try FileManager.default.createDirectory(
            at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
        try FileManager.default.moveItem(atPath: folder.path + "/" + name, toPath: target.path)
    }

    /// Moves a file as between two disks: other node, other date, same bytes.
    private func carry(_ name: String, _ other: String) throws {
        let bytes = try Data(contentsOf: URL(filePath: folder.path + "/" + name))
        try folder.write(other, Array(bytes))
        try FileManager.default.removeItem(atPath: folder.path + "/" + name)
        try date(other, 1000)
    }

    /// Gives a file a modification date so many seconds from now.
    private func date(_ name: String, _ seconds: Double) throws {
        try FileManager.default.setAttributes(
            [.modificationDate: Date().addingTimeInterval(seconds)], ofItemAtPath: folder.path + "/" + name)
    }

    /// The assets by the paths of their files below the folder.
    private func paths() -> [String: AssetIdentifier] {
        Dictionary(
            library.fetchAssets().map { asset in
                let path = asset.resources.first { $0.type == .photo }?.filePath ?? ""
                let name = path.components(separatedBy: URL(filePath: folder.path).lastPathComponent + "/").last ?? ""
                return (name, asset.identifier)
            }, uniquingKeysWith: { first, _ in first })
    }

    @Test(
        "a renamed file keeps its asset with favourite, album and edit, by its node or by its bytes",
        arguments: [false, true])
    func renamed(isCarried: Bool) async throws {
        try folder.write("a.png", picture(1))
        try folder.write("b.png", picture(2))
        let asset = try await run().added[0]
        let recipe = AdjustmentData(formatIdentifier: "org.example", formatVersion: "1", data: [1])
        try await library.performChanges { changes in
            try changes.edit(asset) { $0.isFavorite = true }
            let album = try changes.createAlbum(title: "album")
            try changes.addAssets([asset], to: album)
            try changes.setAdjusted(asset, rendering: .bytes(TinyImages.png(2, 2)), adjustmentData: recipe)
        }
        let before = try #require(library.asset(withIdentifier: asset.identifier))
        if isCarried { try carry("a.png", "sub/c.png") } else { try move("a.png", "sub/c.png") }
        let token = library.currentChangeToken
        let report = try await run()
        #expect(report.moved == FetchResult([asset]) && report.added.isEmpty && report.removed.isEmpty)
        #expect(report.changed.isEmpty && report.restored.isEmpty && report.alreadyPresentCount == 1)
        let after = try #require(library.asset(withIdentifier: asset.identifier))
        #expect(after.isFavorite && after.hasAdjustments && after.originalFilename == "c.png" && after.pixelWidth == 2)
        #expect(after.pictureVersion() == before.pictureVersion())
        #expect(after.pictureVersion(of: .unadjusted) == before.pictureVersion(of: .unadjusted))
        #expect(
            try library.fetchPersistentChanges(since: token).map { try $0.assetDetails().updated } == [
                [asset.identifier]
            ])
        #expect(library.fetchAssets(in: library.fetchAssetCollections(with: .album)[0]).count == 1)
        #expect(paths()["sub/c.png"] == asset.identifier)
        let last = library.currentChangeToken
        #expect(try await run().alreadyPresentCount == 2 && library.currentChangeToken == last)
    }

    @Test("a copy is another asset, and so is a second name of a file")
    func copies() async throws {
        try folder.write("a.png", picture(1))
        let asset = try await run().added[0]
        try folder.write("copy.png", picture(1))
        try FileManager.default.linkItem(atPath: folder.path + "/a.png", toPath: folder.path + "/second.png")
        let report = try await run()
        #expect(report.added.map(\.originalFilename) == ["copy.png", "second.png"] && report.moved.isEmpty)
        // The original goes, and neither of the others takes its place.
        try FileManager.default.removeItem(atPath: folder.path + "/a.png")
        let removal = try await run()
        #expect(removal.removed == FetchResult([asset]) && removal.moved.isEmpty)
    }

    @Test("a copy in a folder that is imported alone is another asset, because the original is still in its own folder")
    func copyElsewhere() async throws {
        try folder.write("one/a.png", picture(1))
        try await run("/one")
        try folder.write("two/a.png", picture(1))
        let report = try await run("/two")
        #expect(report.added.count == 1 && report.moved.isEmpty && library.fetchAssets().count == 2)
    }

    @Test("files that change their names in a circle keep their assets")
    func circle() async throws {
        for number in 1...3 { try folder.write("\(number).png", picture(UInt8(number))) }
        try await run()
        let before = paths()
        try move("3.png", "x.png")
        try move("2.png", "3.png")
        try move("1.png", "2.png")
        try move("x.png", "1.png")
        let report = try await run()
        #expect(report.moved.count == 3 && report.changed.isEmpty && report.added.isEmpty)
        let after = paths()
        #expect(after["2.png"] == before["1.png"] && after["3.png"] == before["2.png"])
        #expect(after["1.png"] == before["3.png"])
    }

    @Test("a file that replaces another under its name changes that asset, wherever the former file went")
    func replaced() async throws {
        try folder.write("a.png", picture(1))
        let asset = try await run().added[0]
        try move("a.png", "a.backup.png")
        try folder.write("a.png", picture(2) + [0])
        let report = try await run()
        #expect(report.changed == FetchResult([asset]) && report.moved.isEmpty)
        #expect(report.added.map(\.originalFilename) == ["a.backup.png"])
    }

    @Test("a file that vanished comes back from Recently Deleted with a later import, also from another folder")
    func twoImports() async throws {
        try folder.write("one/a.png", picture(1))
        try folder.write("two/b.png", picture(2))
        let asset = try await run("/one").added[0]
        try await run("/two")
        try await library.performChanges { try $0.edit(asset) { $0.isFavorite = true } }
        try move("one/a.png", "elsewhere.png")
        #expect(try await run("/one").removed == FetchResult([asset]))
        try move("elsewhere.png", "two/c.png")
        let report = try await run("/two")
        #expect(report.moved == FetchResult([asset]) && report.restored == FetchResult([asset]) && report.added.isEmpty)
        #expect(library.fetchAssets().map(\.isFavorite) == [true, false])
        // From one folder to another, where only the other is imported.
        try move("two/c.png", "one/d.png")
        #expect(try await run("/one").moved == FetchResult([asset]))
        #expect(try await run("/two").removed.isEmpty)
    }

    @Test("an asset that a user deleted stays deleted when its file moves")
    func deletedByUser() async throws {
        try folder.write("a.png", picture(1))
        let asset = try await run().added[0]
        try await library.performChanges { try $0.deleteAssets([asset]) }
        try move("a.png", "b.png")
        let report = try await run()
        #expect(report.moved.count == 1 && report.restored.isEmpty && report.added.isEmpty)
        #expect(library.fetchAssets().isEmpty)
    }

    @Test("the files of one photograph move together, as one asset with the same picture", arguments: [false, true])
    func groups(isCarried: Bool) async throws {
        try folder.write("a/IMG_1.JPG", TinyPhotographs.still("ID-1"))
        try folder.write("a/IMG_1.MOV", TinyPhotographs.movie("ID-1"))
        try folder.write("a/IMG_2.JPG", TinyPhotographs.jpeg(taken: "2020-01-01T12:00:00"))
        try folder.write("a/IMG_2.DNG", TinyPhotographs.raw(taken: "2020:01:01 12:00:00"))
        try folder.write("a/IMG_E3.JPG", TinyPhotographs.jpeg(taken: "2021-01-01T12:00:00", "x='1'"))
        try folder.write("a/IMG_3.JPG", TinyPhotographs.jpeg(taken: "2021-01-01T12:00:00"))
        try folder.write("a/IMG_3.AAE", Array("<plist/>".utf8))
        try await run()
        let before = library.fetchAssets().map { ($0.identifier, $0.resources.count, $0.pictureVersion()) }
        try #require(before.map(\.1) == [2, 2, 3])
        for name in ["IMG_1.JPG", "IMG_1.MOV", "IMG_2.JPG", "IMG_2.DNG", "IMG_E3.JPG", "IMG_3.JPG", "IMG_3.AAE"] {
            if isCarried, name != "IMG_E3.JPG" {
                try carry("a/" + name, "b/" + name)
            } else {
                try move("a/" + name, "b/" + name)
            }
        }
        let report = try await run()
        #expect(report.moved.count == 3 && report.added.isEmpty && report.removed.isEmpty && report.skipped.isEmpty)
        let after = library.fetchAssets()
        #expect(after.map(\.identifier) == before.map(\.0) && after.map(\.resources.count) == before.map(\.1))
        #expect(after.flatMap(\.resources).allSatisfy { $0.filePath?.contains("/b/") == true })
        if !isCarried { #expect(after.map { $0.pictureVersion() } == before.map(\.2)) }
        let last = library.currentChangeToken
        #expect(try await run().alreadyPresentCount == 7 && library.currentChangeToken == last)
    }

    @Test("a photograph that leaves its paired video behind takes nothing of it along")
    func leftBehind() async throws {
        try folder.write("IMG_1.JPG", picture(1))
        try folder.write("IMG_1.MOV", TinyPhotographs.movie(nil))
        let asset = try await run().added[0]
        try move("IMG_1.JPG", "IMG_9.JPG")
        let report = try await run()
        #expect(report.moved == FetchResult([asset]) && report.changed == FetchResult([asset]))
        #expect(report.added.map(\.originalFilename) == ["IMG_1.MOV"] && report.skipped.isEmpty)
        #expect(library.fetchAssets().map(\.resources.count) == [1, 1])
    }

    @Test("files with the same bytes at both ends are told apart by all their bytes")
    func sameEnds() async throws {
        for number in 1...3 { try folder.write("\(number).png", longPicture(UInt8(number))) }
        try await run()
        let before = paths()
        // In another order, and under names that say nothing.
        for (number, name) in [(1, "z"), (2, "y"), (3, "x")] { try carry("\(number).png", name + ".png") }
        let report = try await run()
        #expect(report.moved.count == 3 && report.added.isEmpty)
        let after = paths()
        #expect(after["z.png"] == before["1.png"] && after["y.png"] == before["2.png"])
        #expect(after["x.png"] == before["3.png"])
        // A fourth with these ends, and other bytes between them, is none of them.
        try FileManager.default.removeItem(atPath: folder.path + "/z.png")
        try folder.write("4.png", longPicture(4))
        let last = try await run()
        #expect(last.added.map(\.originalFilename) == ["4.png"] && last.moved.isEmpty)
        #expect(last.removed.map(\.identifier) == [try #require(before["1.png"])])
    }

    @Test("a deleted file and a new one with the same length, the same ends and another date are two photographs")
    func otherMiddle() async throws {
        /// A bitmap of 100 KB whose first and last rows are the same for all numbers.
        func bitmap(_ number: UInt8) -> [UInt8] {
            let (side, headCount) = (184, 54)
            let pixelCount = side * side * 3
            func word(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(value >> ($0 * 8) & 255) } }
            return Array("BM".utf8) + word(headCount + pixelCount) + word(0) + word(headCount) + word(40) + word(side)
                + word(side) + [1, 0, 24, 0] + word(0) + word(pixelCount) + word(0) + word(0) + word(0) + word(0)
                + (0..<pixelCount).map { (40_000..<60_000).contains($0) ? number : 7 }
        }
        try folder.write("a.bmp", bitmap(1))
        try date("a.bmp", -1000)
        try await run()
        try FileManager.default.removeItem(atPath: folder.path + "/a.bmp")
        try folder.write("b.bmp", bitmap(2))
        let fixed = [FileAttributeKey.modificationDate: Date(timeIntervalSince1970: 1_500_000_000.5)]
        try FileManager.default.setAttributes(fixed, ofItemAtPath: folder.path + "/b.bmp")
        let report = try await run()
        #expect(report.added.map(\.originalFilename) == ["b.bmp"] && report.moved.isEmpty)
        #expect(report.removed.map(\.originalFilename) == ["a.bmp"])
        try await library.performChanges { try $0.deleteAssetsPermanently(report.removed) }
        // A file that was carried elsewhere with its date, under another name, is the same photograph.
        try carry("b.bmp", "sub/c.bmp")
        try FileManager.default.setAttributes(fixed, ofItemAtPath: folder.path + "/sub/c.bmp")
        #expect(try await run().moved == report.added)
    }

    @Test("a node that a new file has got from a deleted one does not make them one photograph")
    func reusedNodes() async throws {
        try folder.write("a.png", picture(1))
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: 1_000_000)], ofItemAtPath: folder.path + "/a.png")
        let asset = try await run().added[0]
        // The same node, size and date, and other bytes: as from an archive with dates in whole seconds.
        let file = try FileHandle(forWritingTo: URL(filePath: folder.path + "/a.png"))
        try file.write(contentsOf: Data(picture(9)))
        try file.close()
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: 1_000_000)], ofItemAtPath: folder.path + "/a.png")
        try move("a.png", "b.png")
        let report = try await run()
        #expect(report.moved.isEmpty && report.added.count == 1 && report.removed == FetchResult([asset]))
    }

    @Test("a view leaves the assets alone that it may not change, and adds no copies of them")
    func limited() async throws {
        struct Policy: AccessPolicy {
            var access: LibraryAccess { .limited(to: []) }
        }
        try folder.write("a.png", picture(1))
        let asset = try await run().added[0]
        try move("a.png", "b.png")
        let report = try await library.view(for: Policy()).importFolder(at: folder.path)
        #expect(report.moved.isEmpty && report.added.isEmpty && report.alreadyPresentCount == 1)
        #expect(paths() == ["a.png": asset.identifier])
    }

    @Test("a library from a file of the version before learns its files' marks with the next import, and tells nobody")
    func formerVersion() async throws {
        for number in 1...3 { try folder.write("\(number).png", picture(UInt8(number))) }
        try await run()
        let good = try library.savedBytes
        var blocks = try SavedBlocks(good).ranges.map { Array(good[$0]) }
        // Two columns of words with their marks, and three marks for absent digests and dates of renderings. A file
        // without them has five marks for absent columns.
        blocks[0].removeLast(2 * (1 + 3 * 8) + 3)
        blocks[0] += [UInt8](repeating: 0, count: 5)
        let bytes = SavedBlocks.file(blocks, snapshotNumber: library.snapshot.number)
        let loaded = PhotoLibrary(try PhotoLibrary.state(loading: bytes))
        #expect(loaded.fetchAssets().allSatisfy { $0.facts.mark == FileMark() })
        let token = loaded.currentChangeToken
        #expect(try await loaded.importFolder(at: folder.path).alreadyPresentCount == 3)
        #expect(loaded.currentChangeToken == token && loaded.snapshot.brokenInvariants.isEmpty)
        #expect(loaded.fetchAssets().map(\.facts.mark) == library.fetchAssets().map(\.facts.mark))
        try move("1.png", "4.png")
        try carry("2.png", "5.png")
        #expect(try await loaded.importFolder(at: folder.path).moved.count == 2)
        // A library of this version has them in its file.
        let again = PhotoLibrary(try PhotoLibrary.state(loading: good))
        #expect(try await again.importFolder(at: folder.path).moved.count == 2)
    }

    @Test("many files under new names are found without reading them, each as its own asset", arguments: [1, 2])
    func many(seed: UInt64) async throws {
        var random = Seeded(state: seed)
        for number in 0..<600 {
            try folder.writeQuickly("\(number).png", picture(UInt8(number % 250)) + [UInt8(number / 250)])
        }
        try await run()
        let before = paths()
        let order = (0..<600).shuffled(using: &random)
        for (number, place) in order.enumerated() { try move("\(number).png", "moved/\(place % 7)/\(place).png") }
        let hashed = Counter()
        let report = try await library.importFolder(
            at: folder.path, options: ImportOptions(thumbHash: { _ in hashed.count() }))
        #expect(report.moved.count == 600 && report.added.isEmpty && hashed.value == 0, "seed \(seed)")
        let after = paths()
        for (number, place) in order.enumerated() {
            #expect(after["moved/\(place % 7)/\(place).png"] == before["\(number).png"], "seed \(seed)")
        }
        #expect(library.snapshot.brokenInvariants.isEmpty)
    }
}
