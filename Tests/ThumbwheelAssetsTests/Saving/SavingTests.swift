import Foundation
import Testing
import ThumbwheelCore
import ThumbwheelFormats

@testable import ThumbwheelAssets

@Suite struct SavingTests {
    @Test("a library of random transactions comes back with all it had", arguments: [1, 2, 3, 4, 5, 6] as [UInt64])
    func roundTrip(seed: UInt64) async throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/library"
        var made = try RandomLibrary(seed: seed, transactionCount: 150)
        let library = made.library
        try await library.save(to: path)
        let loaded = try await PhotoLibrary(
            loading: path, provider: { NamedProvider(identifier: $0) }, now: { [clock = made.clock] in clock.now })
        let (seen, expected) = (loaded.walkThrough(), library.walkThrough())
        for (seen, expected) in zip(seen, expected) { try #require(seen == expected, "seed \(seed)") }
        #expect(seen.count == expected.count, "seed \(seed)")
        for (seen, expected) in zip(loaded.storedProperties, library.storedProperties) {
            try #require(seen == expected, "seed \(seed)")
        }
        // Byte for byte, and so with everything that no fetch shows.
        let state = try PhotoLibrary.state(loading: try library.savedBytes)
        let isSame = try PhotoLibrary.savedBytes(of: state) == library.savedBytes
        #expect(isSame, "seed \(seed)")
        // Both go on alike.
        let asset = SampleAssets.random(100_000, &made.random)
        for library in [library, loaded] {
            try await library.performChanges { changes in
                try changes.createAsset(asset)
                try changes.deleteAssets([asset])
            }
        }
        #expect(loaded.fetchAssets().numbers == library.fetchAssets().numbers, "seed \(seed)")
    }

    @Test("a library goes on growing where it ended", arguments: [0, 1, 503, 504, 505, 1008, 1300])
    func chunkBorders(count: Int) throws {
        let original = PhotoLibrary()
        original.add((0..<count).map { SampleAssets.asset($0) })
        let loaded = PhotoLibrary(try PhotoLibrary.state(loading: original.savedBytes))
        #expect(loaded.fetchAssets().numbers == Array(0..<count))
        #expect(loaded.add((0..<count).map { SampleAssets.asset($0) }) == 0)
        #expect(loaded.add((count..<count + 600).map { SampleAssets.asset($0) }) == 600)
        #expect(loaded.fetchAssets().numbers == Array(0..<count + 600))
        for number in [0, count, count + 599] {
            #expect(loaded.asset(withIdentifier: SampleAssets.identifier(number))?.identifier.low == UInt64(number))
        }
    }

    @Test("names come back byte by byte, whatever Unicode thinks of them")
    func exactNames() throws {
        let names = ["\u{E9}", "e\u{301}", "\u{FFFD}", "a\0b", "", "\u{202E}x"]
        let library = PhotoLibrary()
        library.add(
            names.enumerated().map { number, name in
                Asset(
                    identifier: SampleAssets.identifier(number),
                    head: ImageHead(contentType: .jpeg, storedSize: PixelSize(width: 1, height: 1)),
                    resource: .file(path: "/\(name)/\(name)"), fileSize: 1, originalFilename: name)
            })
        let loaded = PhotoLibrary(try PhotoLibrary.state(loading: library.savedBytes)).fetchAssets()
        #expect(loaded.map { Array($0.originalFilename.utf8) } == names.map { Array($0.utf8) })
        #expect(
            loaded.map { Array(($0.resource.filePath ?? "").utf8) } == names.map { Array("/\($0)/\($0)".utf8) })
    }

    @Test("the host gives providers back by their identifiers; one that is unknown is kept, and cannot be opened")
    func providers() throws {
        let library = PhotoLibrary()
        library.add((0..<9).map { SampleAssets.asset($0, resource: .provider(NamedProvider(identifier: "key \($0)"))) })
        let state = try PhotoLibrary.state(loading: library.savedBytes) { identifier in
            identifier == "key 7" ? nil : NamedProvider(identifier: identifier)
        }
        let loaded = PhotoLibrary(state)
        for asset in loaded.fetchAssets() {
            let number = asset.identifier.low
            if number == 7 {
                #expect(!asset.isLocallyAvailable)
                #expect(throws: ByteSourceError.notFound(path: "key 7")) { try asset.resource.open() }
            } else {
                #expect(try asset.resource.open().bytes() == Array("key \(number)".utf8))
            }
        }
        let again = PhotoLibrary(try PhotoLibrary.state(loading: loaded.savedBytes))
        #expect(try again.fetchAssets()[7].resource.open().bytes() == Array("key 7".utf8))
    }

    @Test("bytes in memory, adjustments and their originals come back")
    func adjustments() async throws {
        let library = PhotoLibrary()
        let asset = try await library.addAsset(bytes: TinyImages.png(4, 3), filename: "a.png")
        let recipe = AdjustmentData(formatIdentifier: "org.example", formatVersion: "2", data: [3, 4])
        try await library.performChanges {
            try $0.setAdjusted(asset, rendering: .bytes(TinyImages.bmp(9, 8)), adjustmentData: recipe)
        }
        let loaded = PhotoLibrary(try PhotoLibrary.state(loading: library.savedBytes))
        let adjusted = try #require(loaded.fetchAssets().first)
        #expect(adjusted.adjustmentData == recipe && adjusted.pixelWidth == 9 && adjusted.contentVersion == 2)
        try await loaded.performChanges { try $0.revertToOriginal(adjusted) }
        let original = try #require(loaded.fetchAssets().first)
        #expect(original.pixelWidth == 4 && original.contentType == .png && original.contentVersion == 3)
        #expect(try original.resource.open().bytes() == TinyImages.png(4, 3))
    }

    @Test("an import after a load reads and reports only what has changed since")
    func incrementalImport() async throws {
        let folder = try TemporaryFolder()
        for name in ["a", "b", "c"] { try folder.write("photos/\(name).png", TinyImages.png(4, 3)) }
        let library = PhotoLibrary()
        _ = try await library.importFolder(at: folder.path + "/photos")
        try FileManager.default.removeItem(atPath: folder.path + "/photos/c.png")
        #expect(try await library.importFolder(at: folder.path + "/photos").removed.count == 1)
        try await library.save(to: folder.path + "/library")

        let loaded = try await PhotoLibrary(loading: folder.path + "/library")
        let token = loaded.currentChangeToken
        let nothing = try await loaded.importFolder(at: folder.path + "/photos")
        #expect(nothing.alreadyPresentCount == 2 && nothing.added.isEmpty && nothing.changed.isEmpty)
        #expect(nothing.removed.isEmpty && loaded.currentChangeToken == token)

        try folder.write("photos/b.png", TinyImages.bmp(5, 3))
        try folder.write("photos/c.png", TinyImages.png(4, 3))
        try folder.write("photos/d.png", TinyImages.png(4, 3))
        let report = try await loaded.importFolder(at: folder.path + "/photos")
        #expect(report.changed.map(\.originalFilename).contains("b.png"))
        #expect(report.added.map(\.originalFilename) == ["d.png"])
        // What had gone because its file was missing comes back with it.
        #expect(loaded.fetchAssets().map(\.originalFilename) == ["a.png", "b.png", "c.png", "d.png"])
        #expect(report.alreadyPresentCount >= 1 && report.removed.isEmpty)
    }
}
