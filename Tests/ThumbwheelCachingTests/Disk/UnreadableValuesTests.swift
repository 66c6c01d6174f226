import Foundation
import TestSupport
import Testing
import ThumbwheelLocks

@testable import ThumbwheelCaching

/// Values that cannot be read, and what stays of their neighbours.
@Suite(.endsHangs) struct UnreadableValuesTests {
    /// A disk on which each read that includes a certain byte fails.
    private final class BadSector: Sendable {
        let place = Mutex<(offset: Int, code: Int32)?>(nil)

        var access: StoreFileAccess {
            StoreFileAccess(read: { [self] descriptor, buffer, offset in
                if let bad = place.withLock({ $0 }), (offset..<offset + buffer.count).contains(bad.offset) {
                    errno = bad.code
                    return -1
                }
                return pread(descriptor, buffer.baseAddress!, buffer.count, off_t(offset))
            })
        }
    }

    private func entry(_ number: Int, in fixture: StoreFixture) throws -> StoreIndex.Entry {
        try #require(try fixture.store.openIndex().entry(StoreFixture.key(number)))
    }

    @Test("a sector that cannot be read costs its value, and the store goes on")
    func badSector() throws {
        let sector = BadSector()
        let fixture = try StoreFixture(access: sector.access)
        fixture.write(0..<20)
        let entry = try entry(5, in: fixture)
        sector.place.withLock { $0 = (entry.offset, EIO) }
        #expect(fixture.found(in: 0..<20).count == 19)
        #expect(fixture.store.statistics.failure == nil)
        #expect(fixture.store.statistics.damaged == 1)
        fixture.store.flush()
        fixture.write(5..<6)
        #expect(fixture.found(in: 0..<20).count == 20)
        // Neither verifying nor compacting stops there.
        #expect(try fixture.store.verify().damagedCount == 0)
        #expect(try fixture.store.compact().entryCount == 20)
    }

    @Test("verifying a file that cannot be read at the moment fails, and keeps its values")
    func verifyingWithoutMemory() throws {
        let sector = BadSector()
        let fixture = try StoreFixture(access: sector.access)
        fixture.write(0..<20)
        let entry = try entry(5, in: fixture)
        sector.place.withLock { $0 = (entry.offset, ENOMEM) }
        #expect(throws: StoreError.unusable(path: fixture.segmentPaths[0], code: ENOMEM)) {
            try fixture.store.verify()
        }
        sector.place.withLock { $0 = nil }
        #expect(fixture.found(in: 0..<20).count == 20)
    }

    @Test("values that go while the store is verified are not damaged")
    func verifyingBesideEviction() throws {
        let fixture = try StoreFixture()
        fixture.write(0..<20)
        let index = try fixture.store.openIndex()
        let entries = try index.allEntries().map { (row: $0.row, place: $0.entry.place) }
        try index.remove(row: entries[3].row, place: entries[3].place)
        #expect(try fixture.store.remove(Array(entries[..<5]), from: index) == 4)
        #expect(fixture.found(in: 0..<20).count == 15)
    }

    /// The fields of a record in which a bit flips: its mark, and its length.
    @Test("compacting keeps the values behind a damaged record, and forgets the damaged one", arguments: [0, 5])
    func compactingBehindDamage(_ field: Int) throws {
        let fixture = try StoreFixture()
        fixture.write(0..<100)
        let index = try fixture.store.openIndex()
        for number in 0..<20 { try index.remove(entry(number, in: fixture), of: StoreFixture.key(number)) }
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: fixture.segmentPaths[0]))
        try file.seek(toOffset: UInt64(try entry(50, in: fixture).offset + field))
        try file.write(contentsOf: [0x7F])
        try file.close()
        let contents = try fixture.store.compact()
        #expect(contents.entryCount == 79)
        #expect(fixture.found(in: 0..<100) == Array(20..<50) + Array(51..<100))
    }

    @Test("of a segment whose file somebody has deleted, no entries stay in the index when it is removed")
    func entriesWithoutFile() throws {
        let fixture = try StoreFixture()
        fixture.write(0..<80)
        let index = try fixture.store.openIndex()
        let segment = try #require(try index.segments().first)
        fixture.store.segments.delete(segment.number)
        let turnover = SegmentTurnover(index: index, segments: fixture.store.segments)
        let part = try turnover.remove(segment, keepingAtMost: .max, entryLimit: 60)
        #expect(part.evictedCount == 60 && part.kept.isEmpty)
        let rest = try turnover.remove(segment, from: part.progress, keepingAtMost: .max, entryLimit: 60)
        #expect(rest.evictedCount == 20 && rest.isComplete)
        #expect(try index.totals().entryCount == 0)
        #expect(try index.segments() == [])
    }

    @Test("an entry with an impossible length is removed with its segment")
    func impossibleLength() throws {
        let fixture = try StoreFixture()
        fixture.write(0..<20, cost: .max)
        try SQLiteDatabase(path: fixture.indexPath).execute(
            "UPDATE entries SET length=9223372036854775807 WHERE id=\(StoreFixture.key(3).row)")
        let index = try fixture.store.openIndex()
        let segment = try #require(try index.segments().first)
        let removal = try SegmentTurnover(index: index, segments: fixture.store.segments).remove(
            segment, keepingAtMost: .max)
        #expect(removal.kept.count == 19 && removal.evictedCount == 1)
        #expect(try index.totals().entryCount == 0)
    }
}
