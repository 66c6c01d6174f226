import Dispatch
import Foundation
import Testing
import ThumbwheelCore
import ThumbwheelFormats

@testable import ThumbwheelAssets

@Suite struct LibraryFileTests {
    private func library(_ count: Int) -> PhotoLibrary {
        let library = PhotoLibrary()
        library.add((0..<count).map { SampleAssets.asset($0) })
        return library
    }

    private func count(at path: String) async throws -> Int { try await PhotoLibrary(loading: path).countOfAssets() }

    private func names(in folder: TemporaryFolder) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    }

    @Test("an empty library can be saved, loaded and filled")
    func empty() async throws {
        let folder = try TemporaryFolder()
        try await PhotoLibrary().save(to: folder.path + "/library")
        let loaded = try await PhotoLibrary(loading: folder.path + "/library")
        #expect(loaded.fetchAssets().isEmpty && loaded.fetchTopLevelUserCollections().isEmpty)
        #expect(await loaded.add([SampleAssets.asset(1)]) == 1)
        #expect(try names(in: folder) == ["library"])
    }

    @Test("a head from a file of version 2 is read without the facts that came later")
    func earlierHead() throws {
        let head = ImageHead(
            contentType: .tiff, storedSize: PixelSize(width: 3, height: 2), hasAlpha: true, exifColorSpace: .adobeRGB)
        var writer = BlockWriter()
        writer.write(head)
        writer.write(UInt8(77))
        var whole = BlockReader(writer.bytes)
        #expect(try whole.readImageHead() == head)
        #expect(whole.remainingCount == 1)
        // Six facts that the head lacks take a byte each, and the number of entries of an index eight.
        var earlier = BlockReader(writer.bytes.dropLast(15) + [77], version: 2)
        #expect(try earlier.readImageHead() == head)
        #expect(earlier.remainingCount == 1)
    }

    @Test("a save that fails, wherever it does, leaves the previous file and nothing else")
    func interruptedSave() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/library"
        try await library(3).save(to: path)
        let next = library(1200)
        let byteCount = try next.savedBytes.count
        var limit = 0
        var limits: [Int] = []
        while limit < byteCount {
            limits.append(limit)
            limit += byteCount / 9
        }
        // The last bytes that are written are those of the header.
        for limit in limits + [byteCount - 1] {
            var left = limit
            #expect(throws: LibraryFileError.unwritable(path: path, code: ENOSPC)) {
                let file = try ReplacementFile(replacing: path)
                try LibraryFileWriting.write(next.state) { bytes, offset throws(LibraryFileError) in
                    try file.write(Array(bytes.prefix(left)), at: offset)
                    guard bytes.count <= left else { throw .unwritable(path: path, code: ENOSPC) }
                    left -= bytes.count
                }
                try file.commit { _, _ in }
            }
            #expect(try await count(at: path) == 3)
            #expect(try names(in: folder) == ["library"])
        }
    }

    @Test("what a killed process left beside the file is taken over by the next save")
    func killedSave() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/library"
        try await library(3).save(to: path)
        try folder.write("library.saving", [UInt8](repeating: 7, count: 1_000_000))
        #expect(try await count(at: path) == 3)
        try await library(5).save(to: path)
        #expect(try await count(at: path) == 5)
        #expect(try names(in: folder) == ["library", "library.previous"])
    }

    @Test("several who save to one path at once leave a whole library, and the last its newest")
    func concurrentSaves() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/library"
        let library = library(300)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 300..<312 {
                group.addTask {
                    _ = try await library.performChanges { try $0.createAsset(SampleAssets.asset(number)) }
                    try await library.save(to: path)
                }
            }
            try await group.waitForAll()
        }
        #expect(try await count(at: path) == 312)
        #expect(try names(in: folder) == ["library", "library.previous"])
    }

    @Test("a path that cannot be written is a typed error")
    func unwritable() async throws {
        let folder = try TemporaryFolder()
        let nowhere = folder.path + "/none/library"
        await #expect(throws: LibraryFileError.unwritable(path: nowhere + ".saving", code: ENOENT)) {
            try await library(1).save(to: nowhere)
        }
        // A folder cannot be replaced by a file.
        try folder.write("folder/file", [1])
        await #expect(throws: LibraryFileError.unwritable(path: folder.path + "/folder", code: EISDIR)) {
            try await library(1).save(to: folder.path + "/folder")
        }
        #expect(try names(in: folder) == ["folder"])
    }

    @Test("a link stays a link, and the file keeps who may read it")
    func linkAndPermissions() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/real"
        try await library(1).save(to: path)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        try folder.link("link", to: path)
        try await library(2).save(to: folder.path + "/link")
        #expect(try await count(at: path) == 2)
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: folder.path + "/link") == path)
        #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
    }

    @Test("what is no library says so, and so does what is not there")
    func foreignFiles() async throws {
        let folder = try TemporaryFolder()
        try folder.write("photo.png", TinyImages.png(4, 3))
        try folder.write("empty", [])
        for name in ["photo.png", "empty", ""] {
            await #expect(throws: LibraryFileError.notALibrary) {
                try await PhotoLibrary(loading: folder.path + "/" + name)
            }
        }
        await #expect(throws: LibraryFileError.notFound(path: folder.path + "/none")) {
            try await PhotoLibrary(loading: folder.path + "/none")
        }
    }

    @Test("who may not see all of a library may not save it")
    func limitedView() async throws {
        struct Limited: AccessPolicy {
            var access: LibraryAccess { .limited(to: [SampleAssets.identifier(0)]) }
        }
        let folder = try TemporaryFolder()
        await #expect(throws: LibraryFileError.accessUserDenied) {
            try await library(2).view(for: Limited()).save(to: folder.path + "/library")
        }
        #expect(try names(in: folder).isEmpty)
    }

    @Test("a cancelled task saves and loads nothing")
    func cancelling() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/library"
        try await library(1).save(to: path)
        let next = library(2)
        let saving = Task { try await next.save(to: path) }
        saving.cancel()
        // It may be done before it hears of it; it is never half done.
        if case .failure(let error) = await saving.result { #expect(error as? LibraryFileError == .cancelled) }
        #expect([1, 2].contains(try await count(at: path)))
        let token = CancellationToken()
        token.cancel()
        #expect(throws: LibraryFileError.cancelled) { try next.save(to: path, token: token) }
        #expect(throws: LibraryFileError.cancelled) {
            try PhotoLibrary.state(loading: path, { _ in nil }, token: token)
        }
        #expect(try names(in: folder).filter { $0 != "library.previous" } == ["library"])
    }
}
