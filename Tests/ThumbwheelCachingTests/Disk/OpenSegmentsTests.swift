import TestSupport
import Testing
import ThumbwheelCore

@testable import ThumbwheelCaching

/// Files that a store keeps open. The room of a file that is deleted becomes free only when nobody has it open.
@Suite(.endsHangs) struct OpenSegmentsTests {
    @Test("a process closes each file that it has filled")
    func filled() throws {
        let fixture = try StoreFixture(byteLimit: 8 << 20)
        fixture.write(0..<100)
        #expect(fixture.segmentPaths.count > 5)
        #expect(fixture.store.segments.openNumbers.count == 1)
    }

    @Test("files that another process deletes are looked for once a second, and closed")
    func deletedByAnother() throws {
        let fixture = try StoreFixture()
        fixture.write(0..<10)
        let segments = SegmentFolder(path: fixture.folder, access: StoreFileAccess())
        let number = try #require(segments.numbers.first)
        _ = try segments.file(number)
        let start = MonotonicTime.now
        segments.closeDeleted(at: start)
        #expect(segments.openNumbers == [number])
        try fixture.store.removeAll()
        segments.closeDeleted(at: start.advanced(by: .milliseconds(999)))
        #expect(segments.openNumbers == [number])
        segments.closeDeleted(at: start.advanced(by: .seconds(1)))
        #expect(segments.openNumbers == [])
    }

    @Test("a store in which nobody looks anything up any more closes what it has read, and finds it again")
    func idle() throws {
        let fixture = try StoreFixture(byteLimit: 8 << 20)
        fixture.write(0..<100)
        try fixture.reopen(byteLimit: 8 << 20)
        #expect(fixture.found(in: 0..<100).count == 100)
        #expect(!fixture.store.segments.openNumbers.isEmpty)
        // As the alarm does, just after the last look-up and some seconds later. The alarm itself may be using a lane.
        while !fixture.store.segments.openNumbers.isEmpty { fixture.store.endIdleReads() }
        #expect(fixture.found(in: 0..<100).count == 100)
    }
}
