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

    @Test("a store keeps a quarter of the files open that its process may have, and a thousand at most")
    func limits() throws {
        let limits = [0, 256, 1_024, 2_000, 20_000, .max].map { SegmentFolder.openLimit(descriptorLimit: $0) }
        #expect(limits == [128, 128, 256, 500, 1_024, 1_024])
        let scratch = try ScratchFolder()
        let segments = SegmentFolder(path: scratch.path, access: StoreFileAccess(), openLimit: 200)
        for number in Int64(1)...210 { _ = try segments.make(number) }
        #expect(segments.openNumbers == Array(11...210))
    }
}
