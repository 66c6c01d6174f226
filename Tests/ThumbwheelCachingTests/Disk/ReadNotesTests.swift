import TestSupport
import Testing
import ThumbwheelCore

@testable import ThumbwheelCaching

/// Notes of reads, while somebody keeps the log of the index from being emptied.
@Suite(.endsHangs) struct ReadNotesTests {
    private static let limit = 8 << 20

    private let scratch: ScratchFolder
    private let index: StoreIndex
    private let reader: StoreIndex
    private let writer: StoreWriter

    init() throws {
        scratch = try ScratchFolder()
        let path = scratch.path + "/index.sqlite"
        (index, reader) = (
            try StoreIndex(path: path, logPageCount: 16), try StoreIndex(path: path, logPageCount: 16)
        )
        writer = StoreWriter(
            index, SegmentFolder(path: scratch.path, access: StoreFileAccess()), byteLimit: Self.limit)
        var batch = StoreBatch()
        batch.isDue = true
        batch.pending = (0..<100).map { number in
            let value = StoreFixture.value(number, byteCount: 12_288)
            return StoreBatch.Pending(key: StoreFixture.key(number), byteCount: value.bytes.count) { value }
        }
        try write(batch)
    }

    private func write(_ batch: StoreBatch) throws {
        var report = StoreWriter.Report()
        try writer.write(batch, at: .zero, &report)
    }

    /// Notes that all of a segment has been read, as the read of a number.
    private func noteReads(of segment: StoreIndex.Segment, _ number: Int) throws {
        var batch = StoreBatch()
        batch.reads[segment.number, default: SegmentReads()].note(
            segment.byteCount, at: .zero.advanced(by: .seconds(number)))
        try write(batch)
    }

    private var mostLogByteCount: Int { 2 * index.usualLogByteCount + 8 * 4_120 }

    @Test("reads of segments wait while the log cannot be emptied, and are not lost")
    func segments() throws {
        let list = try index.segments()
        try reader.beginReading()
        _ = try reader.entry(StoreFixture.key(0))
        for number in 0..<500 { try noteReads(of: list[number % list.count], number) }
        #expect(index.logByteCount > index.usualLogByteCount, "the reader keeps it from being emptied")
        #expect(index.logByteCount <= mostLogByteCount)
        let coldest = try #require(try index.coldestSegment())
        try noteReads(of: coldest, 500)
        #expect(try index.coldestSegment() == coldest)
        try reader.endReading()
        try noteReads(of: list[list.count - 1], 501)
        #expect(try index.coldestSegment() != coldest, "all others were read before it")
    }

    @Test("reads of values wait while the log cannot be emptied, and are not lost")
    func values() throws {
        try reader.beginReading()
        _ = try reader.entry(StoreFixture.key(0))
        let list = try index.segments()
        for number in 0..<500 { try noteReads(of: list[number % list.count], number) }
        var batch = StoreBatch()
        batch.isFinal = true
        batch.used.insert(StoreFixture.key(3).row, ofSegment: list[0].number)
        try write(batch)
        #expect(try index.entry(StoreFixture.key(3))?.isUsed == false)
        #expect(writer.owesUses)
        try reader.endReading()
        batch.used = UsedRows()
        try write(batch)
        #expect(try index.entry(StoreFixture.key(3))?.isUsed == true)
        #expect(!writer.owesUses)
    }
}
