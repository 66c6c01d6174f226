import Foundation
import TestSupport
import Testing
import ThumbwheelCore

@testable import ThumbwheelCaching

/// Damaged indexes, and who puts an empty one in their place.
@Suite(.endsHangs) struct ReplacedIndexTests {
    /// A store as one process opens it.
    private final class User {
        let condition = StoreCondition(clock: { .now })
        let segments: SegmentFolder
        let opener: StoreIndexOpener

        init(_ folder: String) {
            segments = SegmentFolder(path: folder, access: StoreFileAccess())
            opener = StoreIndexOpener(
                DiskStore.Configuration(folder: folder, byteLimit: 64 << 20), segments, condition)
        }
    }

    private let scratch: ScratchFolder

    init() throws { scratch = try ScratchFolder() }

    private let entry = StoreIndex.Entry(
        segment: 1, offset: 40, length: 7, isUsed: false, isNegative: false, cost: 3)

    @Test("of two threads that find damage, the slower one leaves the new index alone")
    func twoThreads() throws {
        let user = User(scratch.path)
        let (first, second) = (try user.opener.open(), try user.opener.open())
        let number = try first.addSegment()
        _ = try user.segments.make(number)
        let generation = user.condition.generation
        user.opener.noteDamage(of: first.database)
        let index = try user.opener.open()
        try index.insert(entry, for: StoreFixture.key(1))
        #expect(first.database.hasMoved)
        // Connections that are open belong to the index before.
        #expect(!user.condition.isCurrent(generation))
        #expect(user.segments.numbers == [])

        user.opener.noteDamage(of: second.database)
        #expect(try user.opener.open().entry(StoreFixture.key(1)) == entry)
        #expect(!index.database.hasMoved)
        // No file of the new index has the name of one to which a slow writer may still write.
        #expect(try index.addSegment() > number + 100)
    }

    @Test("of two processes that find damage, one replaces the index, and the other never deletes the new one")
    func twoProcesses() throws {
        let (first, second) = (User(scratch.path), User(scratch.path))
        let (firstIndex, secondIndex) = (try first.opener.open(), try second.opener.open())
        first.opener.noteDamage(of: firstIndex.database)
        second.opener.noteDamage(of: secondIndex.database)
        #expect(throws: StoreError.busy) { _ = try first.opener.open() }
        // The first does not keep the second from it while it rests.
        let index = try second.opener.open()
        try index.insert(entry, for: StoreFixture.key(1))
        second.opener.close()
        #expect(try first.opener.open().entry(StoreFixture.key(1)) == entry)
        #expect(!index.database.hasMoved)
    }

    @Test("an index that another process has replaced by one of a later version is not deleted")
    func laterVersion() throws {
        let user = User(scratch.path)
        let index = try user.opener.open()
        user.opener.noteDamage(of: index.database)
        let path = scratch.path + "/index.sqlite"
        for suffix in ["", "-wal", "-shm"] { unlink(path + suffix) }
        let later = try SQLiteDatabase(path: path)
        try later.execute("PRAGMA user_version=99")
        #expect(throws: StoreError.laterVersion(99)) { _ = try user.opener.open() }
        #expect(!later.hasMoved)
    }

    @Test(
        "rows of segments that no store writes cost the index, and neither end the process nor stop writing for good",
        arguments: [
            "UPDATE segments SET bytes=-4096", "UPDATE segments SET bytes=4294967296",
            "UPDATE segments SET number=-1", "UPDATE segments SET number=4611686018427387904",
            "DROP TABLE segments; CREATE TABLE segments(number INTEGER, bytes INTEGER);"
                + "INSERT INTO segments VALUES(1, 0), (1, 0)",
        ])
    func impossibleSegments(_ statements: String) throws {
        let clock = StoppedClock()
        let fixture = try StoreFixture(clock: { clock.now })
        fixture.write(0..<10)
        try SQLiteDatabase(path: fixture.indexPath).execute(statements)
        _ = fixture.found(in: 0..<10)
        fixture.write(10..<20)
        guard case .damagedIndex? = fixture.store.statistics.failure else {
            Issue.record("not found damaged: \(String(describing: fixture.store.statistics.failure))")
            return
        }
        clock.endRests()
        fixture.write(20..<30)
        #expect(fixture.found(in: 0..<30) == Array(20..<30))
        #expect(fixture.store.statistics.failure == nil)
    }
}
