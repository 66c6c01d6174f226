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
