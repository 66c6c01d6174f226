import Dispatch
import Foundation
import Testing
import ThumbwheelCore
import ThumbwheelLocks

@testable import ThumbwheelAssets

@Suite("Hashes of assets") struct AssetThumbHashTests {
    private let library = PhotoLibrary()
    private let one = ThumbHash(base64Encoded: "HygGbZqAd3eAd4iId2iHd3CAFvZX")!
    private let other = ThumbHash(base64Encoded: "HTiCFAYkMQ2DaItoOCAUBKzBcXmIB9h4DA==")!
    private let recipe = AdjustmentData(formatIdentifier: "org.example.crop", formatVersion: "1", data: [1])

    private func asset(_ number: Int, in library: PhotoLibrary? = nil) throws -> Asset {
        try #require((library ?? self.library).asset(withIdentifier: SampleAssets.identifier(number)))
    }

    private func adjust(_ asset: Asset, _ side: UInt8) throws {
        try library.performChangesAndWait { changes in
            try changes.setAdjusted(asset, rendering: .bytes(TinyImages.png(side, 3)), adjustmentData: recipe)
        }
    }

    @Test("a hash comes up on all snapshots of its asset, and tells no observer")
    func silent() throws {
        library.add((0..<600).map { SampleAssets.asset($0) })
        let told = Mutex(0)
        let observation = library.observeChanges { change in told.withLock { $0 += change.transactionCount } }
        defer { observation.cancel() }
        let (before, token) = (library.fetchAssets(), library.currentChangeToken)
        let sequel = try asset(550)
        sequel.keepThumbHash(one)
        #expect(before[550].thumbHash == one && before[551].thumbHash == nil)
        #expect(try asset(550).thumbHash == one)
        #expect(library.currentChangeToken == token)
        // After edits, too, and without another one in its place.
        try library.performChangesAndWait { try $0.edit(sequel) { $0.isFavorite = true } }
        try asset(550).keepThumbHash(other)
        #expect(try asset(550).thumbHash == one)
        #expect(told.withLock { $0 } <= 1)
    }

    @Test("a photograph that has changed has none until it is made anew, whoever comes late")
    func contentVersions() throws {
        library.add([SampleAssets.asset(1)])
        let original = try asset(1)
        original.keepThumbHash(one)
        try adjust(original, 4)
        let adjusted = try asset(1)
        #expect(adjusted.thumbHash == nil && original.thumbHash == one)
        adjusted.keepThumbHash(other)
        // A render of what it was before ends only now.
        original.keepThumbHash(one)
        #expect(adjusted.thumbHash == other && original.thumbHash == nil)
        try library.performChangesAndWait { try $0.revertToOriginal(adjusted) }
        #expect(try asset(1).thumbHash == nil)
    }

    @Test("a transaction that is given up leaves nothing for those whose rows come next")
    func givenUp() throws {
        struct Failure: Error {}
        let known = SampleAssets.asset(1)
        known.keepThumbHash(one)
        #expect(throws: Failure.self) {
            try library.performChangesAndWait { changes in
                try changes.createAsset(known)
                throw Failure()
            }
        }
        library.add([SampleAssets.asset(2)])
        #expect(try asset(2).thumbHash == nil)
        library.add([known])
        #expect(try asset(1).thumbHash == one)
    }

    @Test("assets bring their hashes along, and a batch that says nothing else is no change")
    func feeding() throws {
        let plain = SampleAssets.asset(1)
        try library.performChangesAndWait { try $0.update(with: [plain]) }
        let token = library.currentChangeToken
        let known = SampleAssets.asset(1)
        known.keepThumbHash(one)
        try library.performChangesAndWait { try $0.update(with: [known]) }
        #expect(try asset(1).thumbHash == one && library.currentChangeToken == token)
        // Of a rendering that was made here the host's hash is none.
        library.add([SampleAssets.asset(2)])
        try adjust(try asset(2), 4)
        let original = SampleAssets.asset(2)
        original.keepThumbHash(one)
        try library.performChangesAndWait { try $0.update(with: [original]) }
        #expect(try asset(2).thumbHash == nil)
        // Pixels that change once more in the same transaction are others.
        let third = SampleAssets.asset(3)
        third.keepThumbHash(one)
        try library.performChangesAndWait { changes in
            try changes.createAsset(third)
            try changes.setAdjusted(third, rendering: .bytes(TinyImages.png(4, 3)), adjustmentData: recipe)
        }
        #expect(try asset(3).thumbHash == nil)
    }

    @Test("what is made of an asset serves no copy of it")
    func copies() {
        let asset = SampleAssets.asset(1)
        asset.keepThumbHash(one)
        let copy = asset.copy(identifier: SampleAssets.identifier(2))
        #expect(copy.thumbHash == nil)
        copy.keepThumbHash(other)
        #expect(asset.thumbHash == one && copy.thumbHash == other)
    }

    @Test("an import has hashes made, of what is new and of what has changed")
    func imported() async throws {
        let folder = try TemporaryFolder()
        try folder.write("a.png", TinyImages.png(4, 3))
        try folder.write("b.png", TinyImages.png(5, 3))
        let options = ImportOptions { [one, other] in $0.pixelWidth == 5 ? nil : $0.pixelWidth == 4 ? one : other }
        let first = try await library.importFolder(at: folder.path, options: options)
        #expect(first.added.map(\.thumbHash) == [one, nil])
        try folder.write("a.png", TinyImages.png(6, 3) + [0])
        let second = try await library.importFolder(at: folder.path, options: options)
        #expect(second.changed.map(\.thumbHash) == [other])
        #expect(first.added.map(\.thumbHash) == [nil, nil])
    }

    @Test("hashes are saved with the library, as far as they are of what is shown")
    func saved() throws {
        library.add((0..<1200).map { SampleAssets.asset($0) })
        for number in stride(from: 0, to: 504, by: 3) { try asset(number).keepThumbHash(number % 2 == 0 ? one : other) }
        try asset(1100).keepThumbHash(other)
        try adjust(try asset(3), 4)
        let loaded = PhotoLibrary(try PhotoLibrary.state(loading: library.savedBytes))
        #expect(loaded.fetchAssets().map(\.thumbHash) == library.fetchAssets().map(\.thumbHash))
        #expect(try asset(6, in: loaded).thumbHash == one && asset(3, in: loaded).thumbHash == nil)
        // What comes of one library is nothing of the other's.
        try asset(7, in: loaded).keepThumbHash(one)
        #expect(try asset(7).thumbHash == nil && asset(511, in: loaded).thumbHash == nil)
    }

    @Test("a hash in a file that is none makes the file malformed")
    func malformed() throws {
        library.add([SampleAssets.asset(1)])
        try asset(1).keepThumbHash(one)
        var bytes = try library.savedBytes
        let blocks = try SavedBlocks(bytes)
        // Near the end of the only chunk: the hash, its length before it, and behind it five bytes for absent columns.
        bytes[blocks.ranges[0].upperBound - 5 - one.byteCount + 3] = 0
        blocks.seal(&bytes)
        #expect(throws: LibraryFileError.malformed(reason: "a hash that is none")) {
            try PhotoLibrary.state(loading: bytes)
        }
    }

    @Test("a file that was saved before there were hashes is read on")
    func oldFile() throws {
        let bytes = try #require(Data(base64Encoded: Self.versionOne, options: .ignoreUnknownCharacters))
        let library = PhotoLibrary(try PhotoLibrary.state(loading: Array(bytes)))
        #expect(library.fetchAssets().map(\.originalFilename) == ["IMG_1.JPG", "IMG_2.JPG", "IMG_3.JPG"])
        #expect(library.fetchAssets().map(\.isFavorite) == [false, true, false])
        #expect(library.fetchAssets().allSatisfy { $0.thumbHash == nil })
        #expect(library.fetchTopLevelUserCollections().map(\.localizedTitle) == ["Old"])
        // Each picture gets the same version in every load.
        let versions = library.fetchAssets().map { $0.pictureVersion() }
        let again = PhotoLibrary(try PhotoLibrary.state(loading: Array(bytes)))
        #expect(Set(versions).count == 3 && again.fetchAssets().map { $0.pictureVersion() } == versions)
    }

    /// A library of three assets and an album, as version 1 of the format had it.
    private static let versionOne = """
        dGh1bWJ3aGVlbC5saWJyYXJ5ChoBAAAABAMCAQQAAAAAAAAAAQAAAAAAAACRBwAAAAAAAMEHAAAAAAAAOoSfeU0iXD7b6MH3AwAAAAAAAAAw
        AAAAAAAAAAcAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAACAAAAAAAAAAAA
        AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA
        AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA
        AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA
        AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAEAAAAAAAAAAgAAAAAA
        AAADAAAAAAAAAAAAXqvtXvh/AABeq+1e+H8AAF6r7V74fwAAXqvtXvh/AABeq+1e+H8AAF6r7V74fwEAAAAAAAAAAQAAAAAAAAABAAAAAAAA
        AAIAAAAAAAAAAQAAAAAAAAADAAAAAAAAAEAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA
        AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA
        AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA
        AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA
        AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA
        AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA
        AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAABAAAAAgAAAAMAAAABAQEBAQEAAF6r
        7V74fwAAXqvtXvh/AABeq+1e+H+gDwAAoA8AAKAPAAC4CwAAuAsAALgLAADoAwAAAAAAANAHAAAAAAAAuAsAAAAAAAAAAAAAAAAbAAAAAAAA
        AElNR18xLkpQR0lNR18yLkpQR0lNR18zLkpQRwMAAAAAAAAACQAAABIAAAAbAAAAAAAAAAAAAAAAAAAAAAAAAAEAAAAAAAAACgAAAAAAAABp
        bWFnZS9qcGVnAAAAAAAAAAAAAAAAAAAAAAEAAAAAAAAAAAAAAAAIAAAAAAAAAAEAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA
        AAAAAAAAAIAAAACAAAAAgAAAAQAAAAAAAAAHAAAAAAAAAC9waG90b3MAAAAAAAAAAAAAAAAAAAIAAAAAAAAAAQAAAAAAAAAAAAAAAAAAAABk
        AAAAAAAAAAABAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAABAAAAAAAAAABAAAAgJPcxEEAAAAAAAAAAAEAAAAAAAAAAJug1IgAf6YnAlnhdhYo
        EOEBAAAAAAAAAACboNSIAH+mJwJZ4XYWKBDhAgAAAAAAAAABAwAAAAAAAABPbGQBAAAAAAAAAAAAAAAAAAAAAAEAAAAAAAAABAAAAAAAAAAB
        AAAAgJPcxEEAAAAAAAAAAAAAAAAAAAAAAQAAAAAAAABjcDVGvqj+UwAAAAAAAAAABAAAAAAAAAABAQAAAAAAAAABAAAAAAAAAAEAAAAAAAAA
        AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAEBAAAAAAAAAAEAAAAAAAAAAgAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA
        AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAQEAAAAAAAAAAQAAAAAAAAADAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA
        AAAAAAAAAAABAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAQAAAAAAAAAAm6DUiAB/picCWeF2FigQ4QAAAAAAAAAAAAAAAAAAAABQBQAAAAAA
        AJMC5238M5zY1AAAAAAAAABOLeoZGXlkbyUBAAAAAAAAyLu5xxOS45w=
        """
}
