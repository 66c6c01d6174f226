import Foundation
import Testing
import ThumbwheelCore

@testable import ThumbwheelAssets

@Suite("A save is read back before it counts, and the library before it is kept")
struct PreviousLibraryTests {
    private let folder: TemporaryFolder
    private let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.path + "/library"
    }

    private func library(_ count: Int) -> PhotoLibrary {
        let library = PhotoLibrary()
        library.add((0..<count).map { SampleAssets.asset($0) })
        return library
    }

    private func count(at path: String) async throws -> Int { try await PhotoLibrary(loading: path).countOfAssets() }

    private func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    }

    @Test("a save keeps the file that it replaces as the previous one, and no older file")
    func previous() async throws {
        for number in 1...4 { try await library(number).save(to: path) }
        #expect(try await count(at: path) == 4)
        #expect(try await count(at: path + ".previous") == 3)
        #expect(try names() == ["library", "library.previous"])
    }

    @Test("a file of a later version is kept: it may be all that there is of that library")
    func laterVersion() async throws {
        try await library(2).save(to: path)
        var bytes = [UInt8](try #require(FileManager.default.contents(atPath: path)))
        // Behind the magic number.
        bytes[20] = 99
        SavedBlocks.sealHeader(&bytes)
        #expect(FileManager.default.createFile(atPath: path, contents: Data(bytes)))
        await #expect(throws: LibraryFileError.newerVersion(99)) { try await count(at: path) }
        try await library(3).save(to: path)
        #expect(try await count(at: path) == 3)
        #expect(FileManager.default.contents(atPath: path + ".previous") == Data(bytes))
    }

    @Test("a library that could not be loaded does not replace a file that can")
    func unloadable() async throws {
        try await library(2).save(to: path)
        let bad = library(3)
        // No transaction leads to this state any more; only a fault of the library could.
        var table = bad.snapshot.collections
        table.update(.root) { $0.children = [CollectionIdentifier(kind: .album, high: 1, low: 2)] }
        let snapshot = Snapshot(
            number: bad.snapshot.number, chunks: bad.snapshot.chunks, rowCount: bad.snapshot.rowCount,
            index: bad.snapshot.index, collections: table)
        let broken = PhotoLibrary(LibraryCore.State(snapshot: snapshot, history: bad.state.history))
        await #expect(throws: LibraryFileError.malformed(reason: "folders that are no tree")) {
            try await broken.save(to: path)
        }
        #expect(try await count(at: path) == 2)
        #expect(try names() == ["library"])
    }

    @Test("bytes that the disk has damaged are noticed before the existing file is replaced")
    func damagedOnDisk() async throws {
        try await library(2).save(to: path)
        #expect(throws: LibraryFileError.self) {
            let file = try ReplacementFile(replacing: path)
            try LibraryFileWriting.write(library(3).state) { bytes, offset throws(LibraryFileError) in
                var bytes = bytes
                if offset == LibraryFileHeader.size { bytes[7] ^= 1 }
                try file.write(bytes, at: offset)
            }
            try file.commit { path, isNew throws(LibraryFileError) in
                _ = try PhotoLibrary.state(loading: path) { _ in nil }
            }
        }
        #expect(try await count(at: path) == 2)
        #expect(try names() == ["library"])
    }

    @Test("a damaged file does not become the previous one in place of a sound file")
    func damagedPrevious() async throws {
        try await library(1).save(to: path)
        try await library(2).save(to: path)
        for bytes in [Array("no library".utf8), try damaged()] {
            try Data(bytes).write(to: URL(fileURLWithPath: path))
            try await library(3).save(to: path)
            #expect(try await count(at: path) == 3)
            #expect(try await count(at: path + ".previous") == 1)
        }
    }

    private func damaged() throws -> [UInt8] {
        var bytes = try library(2).savedBytes
        bytes[try SavedBlocks(bytes).ranges[1].lowerBound] ^= 1
        return bytes
    }

    @Test("after the process ends at any moment of a save, the files are whole and the next save succeeds")
    func interrupted() async throws {
        // The steps follow the order in which names change:
        //
        // - 0: nothing yet.
        // - 1: the present file has a second name.
        // - 2: that name has replaced the previous file's.
        // - 3: the new file is in place.
        let files = FileManager.default
        for step in 0...3 {
            for name in try names() { try files.removeItem(atPath: folder.path + "/" + name) }
            try await library(1).save(to: path)
            try await library(2).save(to: path)
            try folder.write("library.saving", try library(3).savedBytes)
            if step >= 1 { try files.linkItem(atPath: path, toPath: path + ".previous.linking") }
            if step >= 2 {
                try files.removeItem(atPath: path + ".previous")
                try files.linkItem(atPath: path, toPath: path + ".previous")
            }
            if step == 3 {
                try files.removeItem(atPath: path)
                try files.moveItem(atPath: path + ".saving", toPath: path)
            }
            #expect(try await count(at: path) == (step < 3 ? 2 : 3))
            #expect(try await count(at: path + ".previous") == (step < 2 ? 1 : 2))
            try await library(4).save(to: path)
            #expect(try await count(at: path) == 4)
            #expect(try await count(at: path + ".previous") == (step < 3 ? 2 : 3))
            #expect(try names() == ["library", "library.previous"])
        }
    }
}
