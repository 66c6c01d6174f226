import Foundation
import TestSupport
import Testing
import ThumbwheelCore

@testable import ThumbwheelCaching

/// Values whose bytes are in files before the index knows of them. The writers here have no thread, so nothing depends on time.
@Suite(.endsHangs) struct SegmentAheadTests {
    private static let limit = 8 << 20

    private let scratch: ScratchFolder
    private let calls = CountedWrites()

    init() throws { scratch = try ScratchFolder() }

    private func segments() -> SegmentFolder { SegmentFolder(path: scratch.path, access: calls.access) }

    private func openIndex() throws -> StoreIndex {
        try StoreIndex(path: scratch.path + "/index.sqlite", logPageCount: 40)
    }

    private func writer(_ segments: SegmentFolder) throws -> StoreWriter {
        StoreWriter(try openIndex(), segments, byteLimit: Self.limit)
    }

    private func batch(_ numbers: Range<Int>, isDue: Bool) -> StoreBatch {
        var batch = StoreBatch()
        batch.isDue = isDue
        batch.pending = numbers.map { number in
            let value = StoreFixture.value(number, byteCount: 12_288)
            return StoreBatch.Pending(key: StoreFixture.key(number), byteCount: value.bytes.count) { value }
        }
        return batch
    }

    private func write(_ batch: StoreBatch, _ writer: StoreWriter) throws -> StoreWriter.Report {
        var report = StoreWriter.Report()
        try writer.write(batch, at: .zero, &report)
        return report
    }

    /// Fills the store, so that files of removed segments are kept.
    private func fill(_ writer: StoreWriter) throws {
        for start in stride(from: 0, to: 900, by: 20) { _ = try write(batch(start..<start + 20, isDue: true), writer) }
    }

    private func found(_ numbers: Range<Int>, _ segments: SegmentFolder) throws -> [Int] {
        let reader = StoreReader(try openIndex(), segments)
        return try numbers.filter { number in
            switch try reader.lookUp(StoreFixture.key(number), at: .zero) {
            case .found(let found): return found.value == StoreFixture.value(number, byteCount: 12_288)
            case .missing: return false
            case .damaged: throw Damage()
            }
        }
    }

    private struct Damage: Error {}

    @Test("a full store writes values to files at once, and the index learns of them in one transaction")
    func ahead() throws {
        let segments = segments()
        let writer = try writer(segments)
        try fill(writer)
        let before = calls.byteCounts.reduce(0, +)
        let first = try write(batch(2_000..<2_008, isDue: false), writer)
        let second = try write(batch(2_008..<2_014, isDue: false), writer)
        #expect(calls.byteCounts.reduce(0, +) - before == 14 * (12_288 + SegmentRecord.byteCount))
        #expect(first.finishedCount + second.finishedCount == 0)
        #expect(writer.aheadCount == 14)
        #expect(try found(2_000..<2_014, segments) == [])
        let last = try write(batch(2_014..<2_016, isDue: true), writer)
        #expect(last.finishedCount == 16 && last.writtenCount == 16)
        #expect(writer.aheadCount == 0)
        #expect(try found(2_000..<2_016, segments) == Array(2_000..<2_016))
        #expect(last.byteCount <= Self.limit)
        #expect(StoreFixture.byteCount(ofFolder: scratch.path) <= Self.limit * 105 / 100)
    }

    @Test("values that the index does not know yet when the process ends are lost, and no others")
    func killed() throws {
        let segments = segments()
        do {
            let writer = try writer(segments)
            try fill(writer)
            _ = try write(batch(2_000..<2_016, isDue: false), writer)
        }
        segments.closeAll()
        #expect(try found(2_000..<2_016, segments) == [])
        let kept = try found(500..<900, segments)
        let next = try writer(segments)
        _ = try write(batch(3_000..<3_001, isDue: true), next)
        #expect(try found(500..<900, segments).count >= kept.count - 20)
        #expect(try found(3_000..<3_001, segments) == [3_000])
    }

    @Test("a store that is not full, or has no file to write over, tells the index at once")
    func growing() throws {
        let writer = try writer(segments())
        let report = try write(batch(0..<15, isDue: false), writer)
        #expect(report.writtenCount == 15 && report.finishedCount == 15)
        #expect(writer.aheadCount == 0)
    }

    @Test("values in segments that another process removes meanwhile are lost, and can be written again")
    func removed() throws {
        let segments = segments()
        let writer = try writer(segments)
        try fill(writer)
        _ = try write(batch(2_000..<2_008, isDue: false), writer)
        #expect(writer.aheadCount == 8)
        // The other process removes everything, and its values get the numbers and files of new segments.
        let other = try openIndex()
        try other.transaction { () throws(StoreError) in try other.removeAll() }
        let report = try write(batch(2_100..<2_101, isDue: true), writer)
        #expect(report.evictedCount == 8 && report.finishedCount == 9 && report.writtenCount == 1)
        #expect(try found(2_000..<2_101, segments) == [2_100])
        _ = try write(batch(2_000..<2_008, isDue: true), writer)
        #expect(try found(2_000..<2_008, segments) == Array(2_000..<2_008))
    }

    @Test("the file of a removed segment to which another process appends is not written over")
    func locked() throws {
        let segments = segments()
        var reuse = SegmentReuse(segments, byteLimit: Self.limit)
        let byteCount = StoreRules.segmentByteCount(byteLimit: Self.limit)
        for number in Int64(1)...2 {
            try segments.make(number).write([UInt8](repeating: 1, count: byteCount), at: 0)
        }
        let appending = self.segments()
        #expect(try appending.fileForAppending(1).lock())
        reuse.take(1)
        reuse.take(2)
        #expect(segments.numbers == [2])
        #expect(reuse.keeps(2) && !reuse.keeps(1))
    }
}
