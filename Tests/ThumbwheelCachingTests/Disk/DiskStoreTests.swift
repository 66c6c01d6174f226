import Foundation
import TestSupport
import Testing
import ThumbwheelCore
import ThumbwheelLocks

@testable import ThumbwheelCaching

@Suite(.endsHangs) struct DiskStoreTests {
    @Test("a value comes back as it was written, and so after the store has been opened again")
    func survives() throws {
        let fixture = try StoreFixture()
        fixture.write(0..<100)
        #expect(fixture.found(in: 0..<200) == Array(0..<100))
        try fixture.reopen()
        #expect(fixture.found(in: 0..<200) == Array(0..<100))
        #expect(fixture.store.statistics.hits == 100)
        #expect(fixture.store.statistics.misses == 100)
    }

    @Test("negative values, costs and empty values come back")
    func facts() throws {
        let fixture = try StoreFixture()
        let negative = StoredValue(Array("damaged".utf8), cost: 7, isNegative: true)
        fixture.store.put(negative, for: StoreFixture.key(1))
        fixture.store.put(StoredValue([]), for: StoreFixture.key(2))
        fixture.store.flush()
        #expect(fixture.store.value(for: StoreFixture.key(1)) == negative)
        #expect(fixture.store.value(for: StoreFixture.key(2)) == StoredValue([]))
    }

    @Test("the files never take more than the bound, and five hundredths")
    func bound() throws {
        let limit = 8 << 20
        let fixture = try StoreFixture(byteLimit: limit)
        var most = 0
        for start in stride(from: 0, to: 3_000, by: 100) {
            fixture.write(start..<start + 100)
            most = max(most, fixture.byteCountOnDisk)
        }
        #expect(Double(most) <= 1.05 * Double(limit))
        // At least nine tenths of the bound are in use.
        #expect(fixture.found(in: 0..<3_000).count * 12_288 > limit * 9 / 10)
        #expect(fixture.store.statistics.evictions > 2_000)
    }

    @Test("a store of very many tiny values keeps its bound, and most of what there is room for", arguments: [1, 100])
    func tinyValues(_ byteCount: Int) throws {
        let limit = 4 << 20
        let fixture = try StoreFixture(in: StoreFixture.memory, byteLimit: limit)
        var (most, fewest) = (0, Int.max)
        // Twice as many as there is room for, with their records and entries in the index.
        let room = byteCount + 40 + StoreIndex.entryByteCount
        let count = 2 * limit / room
        for start in stride(from: 0, to: count, by: 500) {
            fixture.write(start..<start + 500, byteCount: byteCount)
            most = max(most, fixture.byteCountOnDisk)
            if start > count / 2 { fewest = min(fewest, try fixture.store.contents().entryCount) }
        }
        #expect(Double(most) <= 1.05 * Double(limit))
        #expect(Double(fewest * room) >= 0.7 * Double(limit))
        // The newest values are there, and no old ones between them.
        let found = fixture.found(in: 0..<count, byteCount: byteCount)
        #expect(found == Array((count - found.count)..<count))
    }

    @Test("values that are read stay, and of the others the oldest go first")
    func recency() throws {
        let fixture = try StoreFixture(byteLimit: 8 << 20)
        for start in stride(from: 0, to: 3_000, by: 50) {
            fixture.write(start..<start + 50)
            #expect(fixture.found(in: 0..<20).count == 20)
        }
        // The segment of the last one that is read has a few others.
        let found = fixture.found(in: 40..<3_000)
        #expect(found == Array((3_000 - found.count)..<3_000))
    }

    @Test("what nobody has read for the longest time goes first, and what was read together is not written again")
    func coldestSegments() throws {
        let fixture = try StoreFixture(byteLimit: 8 << 20)
        fixture.write(0..<600)
        #expect(fixture.found(in: 0..<200).count == 200)
        fixture.write(600..<900)
        // The segment in which both meet is neither read nor unread.
        #expect(fixture.found(in: 0..<185).count == 185)
        #expect(fixture.found(in: 700..<900).count == 200)
        #expect(fixture.store.statistics.writes <= 910)
        // The order survives the process.
        try fixture.reopen(byteLimit: 8 << 20)
        fixture.write(900..<1_000)
        #expect(fixture.found(in: 0..<185).count == 185)
    }

    @Test("values that one process only reads are not removed by another that fills the store")
    func readingBesideAnother() throws {
        let limit = 8 << 20
        let fixture = try StoreFixture(byteLimit: limit)
        fixture.write(0..<20)
        let reader = DiskStore(DiskStore.Configuration(folder: fixture.folder, byteLimit: limit))
        defer { reader.close() }
        // The reader's thread runs, and the index knows already that the values have been read.
        reader.put(StoreFixture.value(9_999, byteCount: 100), for: StoreFixture.key(9_999))
        for number in 0..<20 { #expect(reader.value(for: StoreFixture.key(number)) != nil) }
        reader.flush()
        for start in stride(from: 20, to: 3_000, by: 50) {
            fixture.write(start..<start + 50)
            let count = (0..<20).count { reader.value(for: StoreFixture.key($0)) != nil }
            #expect(count == 20)
            reader.flush()
        }
        #expect(fixture.store.statistics.evictions > 1_000)
    }

    @Test("a segment of an earlier build, which notes no reads, is as new as the segments before it")
    func segmentsWithoutTurns() throws {
        let fixture = try StoreFixture()
        let path = fixture.folder + "/index.sqlite"
        let index = try StoreIndex(path: path, logPageCount: 16)
        let numbers = try (0..<4).map { _ in try index.addSegment() }
        // The last two are an earlier build's.
        try index.touchSegment(numbers[1])
        try index.touchSegment(numbers[0])
        var order: [Int64] = []
        while let coldest = try index.coldestSegment() {
            order.append(coldest.number)
            try index.removeSegment(coldest.number)
        }
        #expect(order == [numbers[1], numbers[0], numbers[2], numbers[3]])
        // Reads of a segment that another process has removed leave nothing behind.
        try index.touchSegment(numbers[0])
        #expect(try SQLiteDatabase(path: path).number("SELECT count(*) FROM uses") == 0)
    }

    @Test("a segment that is removed in parts is judged as a whole, and read twice at most")
    func parts() throws {
        let readCount = Mutex(0)
        let access = StoreFileAccess(read: { descriptor, buffer, offset in
            readCount.withLock { $0 += 1 }
            return pread(descriptor, buffer.baseAddress!, buffer.count, off_t(offset))
        })
        let fixture = try StoreFixture(access: access)
        fixture.write(0..<1_000, byteCount: 100)
        let index = try StoreIndex(path: fixture.folder + "/index.sqlite", logPageCount: 16)
        let segments = try index.segments()
        #expect(segments.count == 1)
        // All values of the first part have been read, and few of the segment.
        try index.transaction { () throws(StoreError) in
            for number in 0..<100 { try index.markUsed(row: StoreFixture.key(number).row) }
        }
        let turnover = SegmentTurnover(index: index, segments: fixture.store.segments)
        readCount.withLock { $0 = 0 }
        var (keptCount, evictedCount, partCount) = (0, 0, 0)
        var progress: SegmentTurnover.Progress?
        repeat {
            let removal = try index.transaction { () throws(StoreError) in
                try turnover.remove(segments[0], from: progress, keepingAtMost: .max, entryLimit: 100)
            }
            keptCount += removal.kept.count
            evictedCount += removal.evictedCount
            partCount += 1
            progress = removal.progress
        } while progress != nil
        #expect(partCount == 10)
        #expect(keptCount == 100 && evictedCount == 900)
        // Each record is read for the judgement and for the removal, and the kept values once more.
        #expect(readCount.withLock { $0 } <= 2_200)
        #expect(try index.segments().isEmpty)
    }

    @Test("values that were very dear to make outlive cheap ones")
    func cost() throws {
        let fixture = try StoreFixture(byteLimit: 8 << 20)
        fixture.write(0..<20, cost: 300_000)
        fixture.write(20..<700, cost: 5_000)
        #expect(fixture.found(in: 0..<20).count == 20)
        #expect(!fixture.found(in: 20..<40).contains(20))
    }

    @Test("two stores on one folder see each other's values, and keep one bound")
    func sharing() throws {
        let fixture = try StoreFixture(byteLimit: 16 << 20)
        let other = DiskStore(DiskStore.Configuration(folder: fixture.folder, byteLimit: 16 << 20))
        defer { other.close() }
        for number in 0..<2_500 {
            let value = StoreFixture.value(number, byteCount: 12_288)
            (number % 2 == 0 ? fixture.store : other).put(value, for: StoreFixture.key(number))
            if number % 50 == 0 {
                fixture.store.flush()
                other.flush()
            }
        }
        fixture.store.flush()
        other.flush()
        let found = fixture.found(in: 0..<2_500)
        #expect(found.count > 900)
        #expect(Set(found.map { $0 % 2 }) == [0, 1])
        #expect(found.allSatisfy { other.value(for: StoreFixture.key($0)) != nil })
        #expect(Double(fixture.byteCountOnDisk) <= 1.05 * Double(16 << 20))
    }

    @Test("two stores on one folder keep the bound at every moment, also while segments are turned over")
    func boundAtAnyMoment() throws {
        let limit = 16 << 20
        let most = Mutex(0)
        let folder = Mutex<String?>(nil)
        // After each write the files of the folder are counted.
        let access = StoreFileAccess(
            write: { descriptor, bytes, offset in
                let count = pwrite(descriptor, bytes.baseAddress!, bytes.count, off_t(offset))
                if let folder = folder.withLock({ $0 }) {
                    let byteCount = StoreFixture.byteCount(ofFolder: folder)
                    most.withLock { $0 = max($0, byteCount) }
                }
                return count
            })
        let fixture = try StoreFixture(byteLimit: limit, access: access)
        let other = DiskStore(DiskStore.Configuration(folder: fixture.folder, byteLimit: limit), access: access)
        defer { other.close() }
        folder.withLock { $0 = fixture.folder }
        for number in 0..<4_000 {
            let value = StoreFixture.value(number, byteCount: 12_288)
            (number % 2 == 0 ? fixture.store : other).put(value, for: StoreFixture.key(number))
            // A third is read, and so is written again.
            if number % 3 == 0 { _ = fixture.store.value(for: StoreFixture.key(max(0, number - 300))) }
            if number % 400 == 0 {
                fixture.store.flush()
                other.flush()
            }
        }
        fixture.store.flush()
        other.flush()
        #expect(Double(most.withLock { $0 }) <= 1.05 * Double(limit))
        #expect(fixture.found(in: 0..<4_000).count > 900)
    }

    @Test("SQLite\u{2019}s log does not grow without end where two processes write in turn and threads read")
    func log() throws {
        let fixture = try StoreFixture()
        let path = fixture.folder + "/index.sqlite"
        func logByteCount() -> Int {
            ((try? FileManager.default.attributesOfItem(atPath: path + "-wal"))?[.size] as? Int) ?? 0
        }
        let writers = try (0..<2).map { _ in try StoreIndex(path: path, logPageCount: 16) }
        let reader = try StoreIndex(path: path, logPageCount: 16)
        var number = 0
        func write(_ count: Int) throws {
            for _ in 0..<count {
                number += 1
                let (key, entry) = (
                    StoreFixture.key(number),
                    StoreIndex.Entry(segment: 1, offset: number, length: 1, isUsed: false, isNegative: false, cost: 0)
                )
                let writer = writers[number % 2]
                try writer.transaction { () throws(StoreError) in _ = try writer.insert(entry, for: key) }
            }
        }
        try reader.beginReading()
        _ = try reader.entry(StoreFixture.key(0))
        try write(100)
        let grown = logByteCount()
        #expect(grown > 32 * 4_096)
        // The reader keeps SQLite from emptying the log. That is no failure, and nobody waits for it again soon.
        try writers[0].shortenLog()
        #expect(logByteCount() >= grown)
        try reader.endReading()
        try writers[0].shortenLog()
        #expect(logByteCount() >= grown, "the log has not doubled")
        try writers[1].shortenLog()
        #expect(logByteCount() == 0)
        try write(100)
        #expect(try reader.entry(StoreFixture.key(150)) != nil)
    }

    @Test("what cannot wait to be written is dropped, and put never waits")
    func queue() throws {
        let gate = DispatchSemaphore(value: 0)
        let fixture = try StoreFixture()
        // The thread that writes is held up by the first value.
        fixture.store.put(StoreFixture.key(0), byteCount: 1) {
            gate.wait()
            return nil
        }
        for number in 1...3_000 {
            fixture.store.put(StoreFixture.value(number, byteCount: 12_288), for: StoreFixture.key(number))
        }
        let statistics = fixture.store.statistics
        #expect(statistics.queuedByteCount <= 16 << 20)
        #expect(statistics.drops > 1_000)
        gate.signal()
        fixture.store.flush()
        #expect(fixture.store.statistics.queuedByteCount == 0)
        #expect(fixture.found(in: 1..<3_001).count == 3_000 - statistics.drops)
    }
}
