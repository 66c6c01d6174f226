import Foundation
import TestSupport
import Testing

@testable import ThumbwheelCaching

/// Indexes that are read where nothing can be written.
@Suite(.endsHangs) struct ReadOnlyIndexTests {
    private let entry = StoreIndex.Entry(
        segment: 1, offset: 40, length: 7, isUsed: false, isNegative: false, cost: 3)

    @Test("a reader finds what another process has written to the log, and writes nothing")
    func besideWriter() throws {
        let scratch = try ScratchFolder()
        let path = scratch.path + "/index.sqlite"
        let writer = try StoreIndex(path: path, logPageCount: 1_000)
        try writer.insert(entry, for: StoreFixture.key(1))
        let reader = try StoreIndex(path: path, logPageCount: 1_000, for: .reading)
        #expect(try reader.entry(StoreFixture.key(1)) == entry)
        #expect(throws: StoreError.readOnly) { try reader.insert(entry, for: StoreFixture.key(2)) }
        // What is written later is found too.
        try writer.insert(entry, for: StoreFixture.key(3))
        #expect(try reader.entry(StoreFixture.key(3)) == entry)
    }

    @Test("an index that nobody has open is read without a file beside it, whatever its path")
    func alone() throws {
        let scratch = try ScratchFolder()
        let folder = scratch.path + "/100% ? #1"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let path = folder + "/index.sqlite"
        // The database is closed when the scope ends.
        try StoreIndex(path: path, logPageCount: 1_000).insert(entry, for: StoreFixture.key(1))
        let reader = try StoreIndex(path: path, logPageCount: 1_000, for: .readingOnly)
        #expect(try reader.entry(StoreFixture.key(1)) == entry)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["index.sqlite"])
        #expect(throws: StoreError.readOnly) { try reader.insert(entry, for: StoreFixture.key(2)) }
    }

    @Test("a file without tables is no index")
    func empty() throws {
        let scratch = try ScratchFolder()
        let path = scratch.path + "/index.sqlite"
        try Data().write(to: URL(fileURLWithPath: path))
        #expect(throws: StoreError.readOnly) {
            try StoreIndex(path: path, logPageCount: 1_000, for: .readingOnly)
        }
    }
}
