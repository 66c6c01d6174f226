import TestSupport
import Testing
import ThumbwheelCore

@testable import ThumbwheelCaching

/// Values that have been read for the first time, and when the index learns of it.
@Suite(.endsHangs) struct UsedRowsTests {
    private static let limit = 8 << 20

    private let scratch: ScratchFolder
    private let index: StoreIndex
    private let writer: StoreWriter

    init() throws {
        scratch = try ScratchFolder()
        index = try StoreIndex(path: scratch.path + "/index.sqlite", logPageCount: 40)
        writer = StoreWriter(
            index, SegmentFolder(path: scratch.path, access: StoreFileAccess()), byteLimit: Self.limit)
    }

    private func put(_ numbers: Range<Int>) throws {
        var batch = StoreBatch()
        batch.isDue = true
        batch.pending = numbers.map { number in
            let value = StoreFixture.value(number, byteCount: 12_288)
            return StoreBatch.Pending(key: StoreFixture.key(number), byteCount: value.bytes.count) { value }
        }
        try write(batch, at: .zero)
    }

    private func note(_ numbers: Range<Int>, at time: MonotonicTime, isFinal: Bool = false) throws {
        var batch = StoreBatch()
        batch.isFinal = isFinal
        for number in numbers {
            let entry = try #require(try index.entry(StoreFixture.key(number)))
            batch.used.insert(StoreFixture.key(number).row, ofSegment: entry.segment)
        }
        try write(batch, at: time)
    }

    private func write(_ batch: StoreBatch, at time: MonotonicTime) throws {
        var report = StoreWriter.Report()
        try writer.write(batch, at: time, &report)
    }

    private func isUsed(_ number: Int) throws -> Bool? { try index.entry(StoreFixture.key(number))?.isUsed }

    @Test("few reads wait for a minute, and for nothing if somebody waits for them")
    func time() throws {
        try put(0..<10)
        let start = MonotonicTime.zero
        try note(0..<2, at: start)
        try note(2..<3, at: start.advanced(by: .seconds(59)))
        #expect(try isUsed(0) == false)
        try note(3..<4, at: start.advanced(by: .seconds(60)))
        #expect(try (0..<5).map(isUsed) == [true, true, true, true, false])
        try note(4..<5, at: start.advanced(by: .seconds(61)))
        #expect(try isUsed(4) == false)
        try note(5..<6, at: start.advanced(by: .seconds(62)), isFinal: true)
        #expect(try (4..<7).map(isUsed) == [true, true, false])
    }

    @Test("the index learns at once of reads that are very many")
    func many() throws {
        try put(0..<1)
        var batch = StoreBatch()
        batch.used.insert(StoreFixture.key(0).row, ofSegment: 1)
        for row in 0..<65_534 { batch.used.insert(Int64(row), ofSegment: 2) }
        try write(batch, at: .zero)
        #expect(try isUsed(0) == false)
        batch = StoreBatch()
        batch.used.insert(-1, ofSegment: 3)
        try write(batch, at: .zero)
        #expect(try isUsed(0) == true)
    }

    @Test("a segment that is removed gives up no values of whose reads the index does not know yet")
    func removal() throws {
        try put(0..<20)
        try note(0..<3, at: .zero)
        for start in stride(from: 20, to: 900, by: 20) { try put(start..<start + 20) }
        #expect(try (0..<3).allSatisfy { try isUsed($0) == false }, "they have been written again")
        #expect(try isUsed(5) == nil)
        // They have not been read since, so the second time they go.
        for start in stride(from: 900, to: 1_800, by: 20) { try put(start..<start + 20) }
        #expect(try (0..<3).allSatisfy { try isUsed($0) == nil })
    }

    @Test("rows are counted once, and sorted over all segments")
    func rows() {
        var used = UsedRows()
        let areNew = (0..<2).map { _ in used.insert(5, ofSegment: 1) }
        #expect(areNew == [true, false])
        var other = UsedRows()
        for row in [Int64(9), -4, 5] { other.insert(row, ofSegment: row == 5 ? 1 : 2) }
        used.add(other)
        #expect(used.count == 3)
        #expect(used.sorted == [-4, 5, 9])
        #expect(used.rows(ofSegment: 2) == [9, -4])
        used.remove(segment: 2)
        used.remove(segment: 2)
        #expect(used.count == 1 && used.sorted == [5])
    }
}
