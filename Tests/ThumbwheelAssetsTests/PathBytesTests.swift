import Foundation
import Testing
import ThumbwheelCore
import ThumbwheelFormats

@testable import ThumbwheelAssets

@Suite("Paths are bytes: names that are equal to a reader may be two files")
struct PathBytesTests {
    private let library = PhotoLibrary()

    @Test("two folders with two spellings of one name each keep their assets when the other is imported")
    func twoFolders() async throws {
        let folder = try TemporaryFolder()
        let (composed, decomposed) = (folder.path + "/caf\u{E9}", folder.path + "/cafe\u{301}")
        try folder.write("caf\u{E9}/one.png", TinyImages.png(4, 3))
        try folder.write("cafe\u{301}/two.png", TinyImages.png(4, 3))
        // Some file systems take both for one name.
        guard try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 2 else { return }
        #expect(try await library.importFolder(at: composed).added.count == 1)
        #expect(try await library.importFolder(at: decomposed).added.count == 1)
        #expect(library.fetchAssets().map(\.originalFilename) == ["one.png", "two.png"])
        let report = try await library.importFolder(at: composed)
        #expect(report.removed.isEmpty && report.restored.isEmpty && report.alreadyPresentCount == 1)
        #expect(library.fetchAssets().count == 2)
        // A deleted file is still removed.
        try FileManager.default.removeItem(atPath: decomposed + "/two.png")
        #expect(try await library.importFolder(at: decomposed).removed.count == 1)
    }

    @Test("two files with two spellings of one name are two assets, in an order that depends only on their names")
    func twoFiles() async throws {
        let folder = try TemporaryFolder()
        for name in ["cafe\u{301}.png", "caf\u{E9}.png"] { try folder.write("in/" + name, TinyImages.png(4, 3)) }
        guard try FileManager.default.contentsOfDirectory(atPath: folder.path + "/in").count == 2 else { return }
        #expect(try await library.importFolder(at: folder.path + "/in").added.count == 2)
        #expect(library.fetchAssets().map { Array($0.originalFilename.utf8).count } == [9, 10].reversed())
        let again = try await library.importFolder(at: folder.path + "/in")
        #expect(again.alreadyPresentCount == 2 && again.removed.isEmpty && again.changed.isEmpty)
        for asset in library.fetchAssets() {
            let path = try #require(asset.resource.filePath)
            let found = library.fetchAssets(withFileURLs: [URL(fileURLWithPath: path)])
            #expect(found.map(\.identifier) == [asset.identifier])
        }
    }

    @Test("a file that is renamed to another spelling becomes another resource, and its asset can be opened")
    func renamedFile() async throws {
        let folder = try TemporaryFolder()
        let (composed, decomposed) = (folder.path + "/caf\u{E9}.png", folder.path + "/cafe\u{301}.png")
        try folder.write("caf\u{E9}.png", TinyImages.png(4, 3))
        func asset(_ path: String) throws -> Asset {
            try Asset(
                reading: .file(path: path), identifier: SampleAssets.identifier(1), originalFilename: "photo")
        }
        try await library.add([asset(composed)])
        try FileManager.default.moveItem(atPath: composed, toPath: decomposed)
        let renamed = try asset(decomposed)
        try await library.performChanges { try $0.update(with: [renamed]) }
        let known = try #require(library.fetchAssets().first)
        #expect(throws: Never.self) { try known.resource.open() }
        let resources = [composed, decomposed].map { AssetResource.file(path: $0) }
        #expect(resources[0] != resources[1] && Set(resources).count == 2)
    }

    @Test("a slash before a name that begins with an accent still separates the path")
    func accentAfterSlash() async throws {
        let folder = try TemporaryFolder()
        try folder.write("in/\u{301}.png", TinyImages.png(4, 3))
        let path = folder.path + "/in/\u{301}.png"
        #expect(
            try await library.importFolder(at: folder.path + "/in").added.map(\.originalFilename) == ["\u{301}.png"])
        #expect(try Asset(file: path).originalFilename == "\u{301}.png")
        let target = folder.path
        try await library.performChanges { changes in
            _ = try changes.createAsset(from: [.file(path: path)], movingFilesTo: target)
        }
        #expect(library.fetchAssets().map(\.originalFilename) == ["\u{301}.png", "\u{301}.png"])
        #expect(FileManager.default.fileExists(atPath: folder.path + "/\u{301}.png"))
    }

    @Test("feeding assets again changes nothing, even if dates, places and lengths are not numbers")
    func factsThatAreNoNumbers() throws {
        let nan = Date(timeIntervalSinceReferenceDate: .nan)
        func asset() -> Asset {
            Asset(
                identifier: SampleAssets.identifier(1),
                head: ImageHead(contentType: .jpeg, storedSize: PixelSize(width: 4, height: 3)),
                resource: .file(path: "/a/b.jpg"), fileSize: 3, originalFilename: "b.jpg", creationDate: nan,
                modificationDate: nan, addedDate: nan,
                location: Location(latitude: .nan, longitude: .nan, altitude: .nan), duration: .nan)
        }
        try library.performChangesAndWait { try $0.update(with: [asset()]) }
        let token = library.currentChangeToken
        try library.performChangesAndWait { try $0.update(with: [asset()]) }
        #expect(library.currentChangeToken == token)
    }
}
