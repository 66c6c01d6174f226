import Dispatch
import Foundation
import Synchronization
import Testing
import ThumbwheelAssets
import ThumbwheelCore
import ThumbwheelFormats

@Suite struct TransactionTests {
    private let library = PhotoLibrary()

    @Test(
        "a block that waits runs on the calling thread's time, returns its value, and has changed all when it is done")
    func waiting() throws {
        let placeholder = try library.performChangesAndWait { try $0.createAsset(SampleAssets.asset(1)) }
        let asset = try #require(library.fetchAssets().first)
        #expect(placeholder == asset && asset == placeholder && placeholder.localIdentifier == asset.localIdentifier)
    }

    @Test("transactions from many threads, waiting or not, run one at a time")
    func serial() async throws {
        final class Tally: Sendable {
            let running = Atomic(0)
            let overlaps = Atomic(0)
        }
        let tally = Tally()
        await library.add([SampleAssets.asset(0)])
        try await withThrowingTaskGroup { group in
            for number in 1...64 {
                group.addTask { [library] in
                    try await library.performChanges { changes in
                        if tally.running.add(1, ordering: .relaxed).newValue != 1 {
                            tally.overlaps.add(1, ordering: .relaxed)
                        }
                        try changes.createAsset(SampleAssets.asset(number))
                        tally.running.subtract(1, ordering: .relaxed)
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(tally.overlaps.load(ordering: .relaxed) == 0 && library.fetchAssets().count == 65)
    }

    @Test("a transaction that was swapped with another library's changes nothing after its block")
    func swapped() throws {
        library.add([SampleAssets.asset(1)])
        let other = PhotoLibrary()
        other.add([SampleAssets.asset(1)])
        #expect(throws: ChangeError(.transactionEnded)) {
            try library.performChangesAndWait { changes in
                try other.performChangesAndWait { inner in
                    swap(&changes, &inner)
                    // `inner` is now the outer library's transaction, which must remember the refusal.
                    try? inner.deleteAssets([SampleAssets.identifier(99)])
                }
                try changes.edit(SampleAssets.identifier(1)) { $0.isFavorite = true }
            }
        }
        #expect(throws: ChangeError(.unknownAsset(SampleAssets.identifier(99)))) {
            try library.performChangesAndWait { changes in
                try changes.edit(SampleAssets.identifier(1)) { $0.isFavorite = true }
                try other.performChangesAndWait { inner in
                    swap(&changes, &inner)
                    try? inner.deleteAssets([SampleAssets.identifier(99)])
                    swap(&changes, &inner)
                }
            }
        }
        #expect(!library.fetchAssets()[0].isFavorite && !other.fetchAssets()[0].isFavorite)
    }

    @Test("a caught error, even in a helper function, keeps the transaction from being committed")
    func caughtErrors() throws {
        library.add([SampleAssets.asset(1)])
        func help(_ changes: inout LibraryTransaction) {
            try? changes.deleteAssets([SampleAssets.identifier(99)])
        }
        #expect(throws: ChangeError(.unknownAsset(SampleAssets.identifier(99)))) {
            try library.performChangesAndWait { changes in
                try changes.edit(SampleAssets.identifier(1)) { $0.isFavorite = true }
                help(&changes)
            }
        }
        #expect(!library.fetchAssets()[0].isFavorite)
    }

    @Test("a transaction inside another is an error, also where one of another library stands between them")
    func nested() throws {
        let other = PhotoLibrary()
        #expect(throws: ChangeError(.nestedTransaction)) {
            try library.performChangesAndWait { _ in
                try other.performChangesAndWait { _ in try library.performChangesAndWait { _ in } }
            }
        }
        try library.performChangesAndWait { changes in
            try changes.createAsset(SampleAssets.asset(1))
            try other.performChangesAndWait { _ = try $0.createAsset(SampleAssets.asset(2)) }
        }
        #expect(library.fetchAssets().numbers == [1] && other.fetchAssets().numbers == [2])
    }

    @Test("a file moves into the host's folder as the transaction commits, under a name of its own")
    func movedFiles() throws {
        let folder = try TemporaryFolder()
        for name in ["in/a.png", "in/b.png", "media/a.png"] { try folder.write(name, TinyImages.png(4, 3)) }
        try folder.write("in/a.mov", TinyImages.movie)
        let media = folder.path + "/media"
        let files = FileManager.default
        func create(_ changes: inout LibraryTransaction, _ name: String) throws {
            try changes.createAsset(
                from: [
                    .file(path: folder.path + "/in/\(name).png"),
                    AssetResource(type: .pairedVideo, source: .file(path: folder.path + "/in/a.mov")),
                ], movingFilesTo: media)
        }
        // Refused: all is where it was.
        struct Mine: Error {}
        #expect(throws: Mine.self) {
            try library.performChangesAndWait { changes in
                try create(&changes, "a")
                throw Mine()
            }
        }
        #expect(try files.contentsOfDirectory(atPath: folder.path + "/in").sorted() == ["a.mov", "a.png", "b.png"])
        #expect(try files.contentsOfDirectory(atPath: media) == ["a.png"])
        try library.performChangesAndWait { try create(&$0, "a") }
        let asset = try #require(library.fetchAssets().first)
        #expect(asset.resources.map(\.filePath) == [media + "/a 2.png", media + "/a.mov"])
        #expect(asset.originalFilename == "a.png" && asset.isLivePhoto)
        #expect(try asset.resource.open().bytes() == TinyImages.png(4, 3))
        #expect(try files.contentsOfDirectory(atPath: folder.path + "/in") == ["b.png"])
        // One that is there already stays.
        try library.performChangesAndWait {
            _ = try $0.createAsset(from: [.file(path: media + "/a.png")], movingFilesTo: media)
        }
        #expect(try files.contentsOfDirectory(atPath: media).sorted() == ["a 2.png", "a.mov", "a.png"])
        // A link to a file in another folder: that file must not be moved from there.
        try folder.write("store/real.png", TinyImages.png(4, 3))
        try folder.link("in/link.png", to: "../store/real.png")
        let link = folder.path + "/in/link.png"
        #expect(throws: ChangeError(.invalidResource(.source(.unreadable(path: link, code: ELOOP))))) {
            try library.performChangesAndWait { changes in
                _ = try changes.createAsset(from: [.file(path: link)], movingFilesTo: media)
            }
        }
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "../store/real.png")
        // A second name, or no file at all.
        try files.linkItem(atPath: folder.path + "/in/b.png", toPath: folder.path + "/b.png")
        let path = folder.path + "/in/b.png"
        #expect(throws: ChangeError(.invalidResource(.source(.unreadable(path: path, code: EMLINK))))) {
            try library.performChangesAndWait { changes in
                _ = try changes.createAsset(from: [.file(path: path)], movingFilesTo: media)
            }
        }
        #expect(throws: ChangeError(.invalidResource(.source(.notFound(path: folder.path + "/in/a.png"))))) {
            try library.performChangesAndWait { try create(&$0, "a") }
        }
        #expect(files.fileExists(atPath: path) && library.fetchAssets().count == 2)
    }

    @Test("a photograph whose head was read before the transaction is added without another look at its file")
    func readBefore() throws {
        let folder = try TemporaryFolder()
        for name in ["in/a.png", "in/b.png"] { try folder.write(name, TinyImages.png(4, 3)) }
        try folder.write("in/a.mov", [1, 2, 3])
        try folder.write("media/other", [])
        let media = folder.path + "/media"
        let assets = try ["a", "b"].enumerated().map { number, name in
            try Asset(
                reading: .file(path: folder.path + "/in/\(name).png"), identifier: SampleAssets.identifier(number),
                originalFilename: "\(name).png", mediaSubtypes: .photoLive,
                otherResources: [AssetResource(type: .pairedVideo, source: .file(path: folder.path + "/in/a.mov"))])
        }
        // Nothing of it can be read any more.
        try folder.write("in/a.png", [0])
        try library.performChangesAndWait { _ = try $0.createAsset(assets[0], movingFilesTo: media) }
        let asset = try #require(library.asset(withIdentifier: assets[0].identifier))
        #expect(asset.resources.map(\.filePath) == [media + "/a.png", media + "/a.mov"])
        #expect(asset.pixelWidth == 4 && asset.isLivePhoto && asset.originalFilename == "a.png")
        // A refused asset moves nothing.
        for _ in 0..<2 {
            #expect(throws: ChangeError.self) {
                try library.performChangesAndWait { changes in
                    try changes.createAsset(
                        assets[0].copy(identifier: SampleAssets.identifier(7)), movingFilesTo: media)
                }
            }
            #expect(throws: ChangeError(.duplicateAsset(assets[0].identifier))) {
                try library.performChangesAndWait { _ = try $0.createAsset(assets[0], movingFilesTo: media) }
            }
        }
        let files = FileManager.default
        #expect(try files.contentsOfDirectory(atPath: folder.path + "/in") == ["b.png"])
        #expect(try files.contentsOfDirectory(atPath: media).sorted() == ["a.mov", "a.png", "other"])
    }

    @Test("resources that an asset can be created of are told from those that it cannot")
    func resourceKinds() {
        #expect(LibraryTransaction.supportsAssetResourceTypes([.photo, .alternatePhoto, .pairedVideo]))
        #expect(LibraryTransaction.supportsAssetResourceTypes([.video]))
        #expect(!LibraryTransaction.supportsAssetResourceTypes([.photo, .adjustmentData]))
        #expect(!LibraryTransaction.supportsAssetResourceTypes([.audio]))
    }

    @Test("the history tells albums from folders")
    func history() throws {
        let token = library.currentChangeToken
        let (album, folder) = try library.performChangesAndWait { changes in
            (try changes.createAlbum(title: "a"), try changes.createFolder(title: "f"))
        }
        try library.performChangesAndWait { try $0.setTitle("b", of: album) }
        try library.performChangesAndWait { try $0.deleteCollections([folder]) }
        let changes = try library.fetchPersistentChanges(since: token)
        #expect(try changes.map { try $0.albumDetails().inserted } == [[album.identifier], [], []])
        #expect(try changes.map { try $0.folderDetails().inserted } == [[folder.identifier], [], []])
        #expect(try changes.map { try $0.albumDetails().updated } == [[], [album.identifier], []])
        #expect(try changes[2].collectionDetails().deleted == [folder.identifier])
        #expect(try library.fetchPersistentChanges(since: changes[1].token).count == 1)
        #expect(try library.fetchPersistentChanges(since: library.currentChangeToken).isEmpty)
    }
}
