import Foundation
import Testing
import ThumbwheelCore

@testable import ThumbwheelAssets

@Suite("Versions of pictures") struct PictureVersionTests {
    private let library = PhotoLibrary()
    private let recipe = AdjustmentData(formatIdentifier: "org.example", formatVersion: "1", data: [1])

    private func asset(_ number: Int = 1, in library: PhotoLibrary? = nil) throws -> Asset {
        try #require((library ?? self.library).asset(withIdentifier: SampleAssets.identifier(number)))
    }

    private func deleteForGood(_ number: Int = 1) throws {
        try library.performChangesAndWait { changes in
            try changes.deleteAssets([SampleAssets.identifier(number)])
            try changes.deleteAssetsPermanently([SampleAssets.identifier(number)])
        }
    }

    private func inMemory(_ bytes: [UInt8]) throws -> Asset {
        try Asset(reading: .bytes(bytes), identifier: SampleAssets.identifier(1), originalFilename: "a.png")
    }

    @Test("an asset that comes again after it was deleted for good has another picture version, however it comes")
    func comesAgain() throws {
        let ways: [(PhotoLibrary) throws -> Void] = [
            { $0.add([SampleAssets.asset(1)]) },
            { try $0.performChangesAndWait { try $0.update(with: [SampleAssets.asset(1)]) } },
            { try $0.performChangesAndWait { _ = try $0.createAsset(SampleAssets.asset(1)) } },
        ]
        var versions: [PictureVersion] = []
        for way in ways + ways {
            try way(library)
            versions.append(try asset().pictureVersion())
            try deleteForGood()
        }
        #expect(Set(versions).count == versions.count)
        // An asset of another library, or of an earlier state of this one, is new, too.
        let other = PhotoLibrary()
        try ways[0](library)
        other.add([try asset()])
        #expect(try asset(in: other).pictureVersion() != asset().pictureVersion())
    }

    @Test("an asset that is replaced in one transaction counts as having lost its contents")
    func replaced() throws {
        library.add([SampleAssets.asset(1), SampleAssets.asset(2)])
        let before = try asset()
        let change = try library.changeMade { changes in
            try changes.deleteAssets([SampleAssets.identifier(1)])
            try changes.deleteAssetsPermanently([SampleAssets.identifier(1)])
            try changes.createAsset(SampleAssets.asset(1))
        }
        #expect(change.assetsWithLostContents == [SampleAssets.identifier(1)])
        #expect(change.changeDetails(for: before)?.assetContentChanged == true)
    }

    @Test("a library that is filled again from the same store has other picture versions")
    func filledAnew() async throws {
        let folder = try TemporaryFolder()
        try folder.write("a.png", TinyImages.png(4, 3))
        let (one, other) = (PhotoLibrary(), PhotoLibrary())
        let first = try await one.importFolder(at: folder.path).added[0]
        try folder.write("a.png", TinyImages.png(3, 4))
        let second = try await other.importFolder(at: folder.path).added[0]
        #expect(first == second && first.pictureVersion() != second.pictureVersion())
    }

    @Test("versions survive a save; changes after a load get versions of their own in each loaded library")
    func loads() throws {
        library.add((0..<3).map { SampleAssets.asset($0) })
        try library.performChangesAndWait { [recipe] changes in
            try changes.setAdjusted(
                SampleAssets.identifier(1), rendering: .bytes(TinyImages.png(4, 3)), adjustmentData: recipe)
        }
        func versions(_ library: PhotoLibrary) -> [PictureVersion] {
            library.fetchAssets().flatMap { [$0.pictureVersion(), $0.pictureVersion(of: .unadjusted)] }
        }
        let bytes = try library.savedBytes
        let loaded = try [0, 1].map { _ in PhotoLibrary(try PhotoLibrary.state(loading: bytes)) }
        let saved = versions(library)
        #expect(Set(saved).count == 4)
        #expect(loaded.map(versions) == [saved, saved])
        // The saved library and both loaded ones diverge: the first stands for a process that changed it after the save
        // and was then killed.
        var after: [PictureVersion] = []
        for library in [library] + loaded {
            try library.performChangesAndWait { [recipe] changes in
                try changes.setAdjusted(
                    SampleAssets.identifier(2), rendering: .bytes(TinyImages.png(4, 3)), adjustmentData: recipe)
            }
            let asset = try asset(2, in: library)
            after.append(asset.pictureVersion())
            #expect(asset.pictureVersion(of: .unadjusted) == saved[4])
        }
        #expect(Set(after + saved).count == 7)
    }

    @Test("an adjusted asset's original has a version of its own, which changes only with the original")
    func originals() async throws {
        let folder = try TemporaryFolder()
        try folder.write("a.png", TinyImages.png(4, 3))
        let identifier = try await library.importFolder(at: folder.path).added[0].identifier
        func versions() throws -> [PictureVersion] {
            let asset = try #require(library.asset(withIdentifier: identifier))
            return [asset.pictureVersion(), asset.pictureVersion(of: .unadjusted)]
        }
        let imported = try versions()
        try await library.performChanges { [recipe] changes in
            try changes.setAdjusted(identifier, rendering: .bytes(TinyImages.png(2, 2)), adjustmentData: recipe)
        }
        let adjusted = try versions()
        #expect(adjusted[0] != imported[0] && adjusted[1] == imported[1])
        // The original changes by an import.
        try folder.write("a.png", TinyImages.png(7, 7) + [0])
        let before = library.snapshot
        _ = try await library.importFolder(at: folder.path)
        let other = try versions()
        #expect(other[0] == adjusted[0] && other[1] != adjusted[1])
        let change = LibraryChange(before: before, after: library.snapshot, library: library.core.identity)
        #expect(change.assetsWithLostContents == [identifier])
        // The original changes by the host: other bytes with the same head and length are another picture, the same
        // bytes are not.
        var bytes = TinyImages.png(5, 5)
        for expectsOther in [true, false, true] {
            let known = try versions()
            let original = try Asset(reading: .bytes(bytes), identifier: identifier, originalFilename: "a.png")
            try await library.performChanges { try $0.update(with: [original]) }
            #expect(try versions()[0] == known[0] && (versions()[1] != known[1]) == expectsOther)
            if !expectsOther { bytes[bytes.count - 1] ^= 1 }
        }
    }

    @Test("different bytes in memory are another picture, even with equal head and length")
    func bytesInMemory() throws {
        var bytes = TinyImages.png(5, 5)
        library.add([try inMemory(bytes)])
        let first = try asset().pictureVersion()
        try library.performChangesAndWait { [asset = try inMemory(bytes)] in try $0.update(with: [asset]) }
        #expect(try asset().pictureVersion() == first)
        bytes[bytes.count - 1] ^= 1
        try library.performChangesAndWait { [asset = try inMemory(bytes)] in try $0.update(with: [asset]) }
        #expect(try asset().pictureVersion() != first && asset().contentVersion == 2)
    }

    @Test("an adjusted asset from another library has another picture for each rendering, and keeps its original's")
    func adjustedElsewhere() throws {
        let identifier = SampleAssets.identifier(1)
        var rendering = TinyImages.png(4, 3)
        // Renderings of one head and length, each made by a library of its own: all have the same content version.
        let assets = try (0..<2).map { number in
            rendering[rendering.count - 1] ^= UInt8(number)
            let other = PhotoLibrary()
            other.add([try inMemory(TinyImages.png(5, 5))])
            try other.performChangesAndWait { [rendering] in
                try $0.setAdjusted(identifier, rendering: .bytes(rendering), adjustmentData: recipe)
            }
            return try asset(in: other)
        }
        #expect(assets[0].contentVersion == assets[1].contentVersion && assets[0].head == assets[1].head)
        var seen: [[PictureVersion]] = []
        for number in [0, 0, 1, 1] {
            let token = library.currentChangeToken
            try library.performChangesAndWait { try $0.update(with: [assets[number]]) }
            let asset = try asset()
            #expect(asset.facts.resources == assets[number].facts.resources)
            if seen.last.map({ _ in number == 0 || seen.count == 3 }) == true {
                // Unchanged assets are passed over.
                #expect(library.currentChangeToken == token)
            }
            seen.append([asset.pictureVersion(), asset.pictureVersion(of: .unadjusted)])
        }
        #expect(seen[0] == seen[1] && seen[2] == seen[3])
        #expect(seen[1][0] != seen[2][0] && seen[1][1] == seen[2][1])
        #expect(seen[0][1] != assets[0].pictureVersion(of: .unadjusted))
    }

    @Test("content versions end at the greatest, and no hash is kept for it")
    func greatestContentVersion() throws {
        let identifier = SampleAssets.identifier(1)
        let known = SampleAssets.asset(1)
        let hash = try #require(ThumbHash(base64Encoded: "HygGbZqAd3eAd4iId2iHd3CAFvZX"))
        library.add([
            Asset(
                identifier: identifier, contentVersion: .max - 1, head: known.head, resource: known.resource,
                fileSize: 1000, originalFilename: "a.png", thumbHash: hash)
        ])
        #expect(try asset().thumbHash == hash)
        var versions = [try asset().pictureVersion()]
        for round in 0..<3 {
            try library.performChangesAndWait { changes in
                if round < 2 {
                    try changes.setAdjusted(
                        identifier, rendering: .bytes(TinyImages.png(4, round == 0 ? 3 : 5)), adjustmentData: recipe)
                } else {
                    try changes.update(with: [SampleAssets.asset(1, width: 77)])
                }
            }
            let asset = try asset()
            #expect(asset.contentVersion == .max && asset.thumbHash == nil)
            asset.keepThumbHash(hash)
            #expect(asset.thumbHash == nil)
            versions += [asset.pictureVersion(), asset.pictureVersion(of: .unadjusted)]
        }
        #expect(Set(versions).count == 4)
    }

    @Test(
        "the first content version of a later transaction is never less than an earlier one's",
        arguments: [
            1 << 32 - 2, 1 << 32, 1 << 40,
        ] as [UInt64])
    func firstContentVersion(number: UInt64) throws {
        func version(after number: UInt64) -> UInt32 {
            let draft = SnapshotDraft(Snapshot(number: number), timeline: 1)
            return LibraryTransaction(draft, .full, Date()).firstContentVersion
        }
        #expect(version(after: number) >= version(after: number - 1) && version(after: number) >= .max - 1)
    }

    @Test("edits of anything but the picture keep the version")
    func edits() throws {
        library.add([SampleAssets.asset(1)])
        let version = try asset().pictureVersion()
        try library.performChangesAndWait { changes in
            try changes.edit(SampleAssets.identifier(1)) { $0.isFavorite = true }
            try changes.deleteAssets([SampleAssets.identifier(1)])
            try changes.restoreAssets([SampleAssets.identifier(1)])
            try changes.update(with: [SampleAssets.asset(1, hidden: true)])
        }
        #expect(try asset().pictureVersion() == version)
    }
}
