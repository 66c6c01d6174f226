import Foundation
import TestSupport
import Testing
import ThumbwheelCore
import ThumbwheelLocks

@testable import ThumbwheelCaching

@Suite(.endsHangs) struct StoreFaultTests {
    @Test("bits that flip in segments cost values, and never bring another value")
    func flippedSegments() throws {
        let seed = UInt64.random(in: 0..<1_000_000)
        print("seed \(seed)")
        var generator = SeededGenerator(seed: seed)
        let fixture = try StoreFixture()
        fixture.write(0..<200)
        let path = try #require(fixture.segmentPaths.first)
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
        let end = Int(try file.seekToEnd())
        for _ in 0..<50 {
            let offset = Int(generator.next() % UInt64(end))
            try file.seek(toOffset: UInt64(offset))
            let byte = try #require(try file.read(upToCount: 1)?.first)
            try file.seek(toOffset: UInt64(offset))
            try file.write(contentsOf: Data([byte ^ UInt8(1 << (generator.next() % 8))]))
        }
        try file.close()
        // `found` checks each value.
        let found = fixture.found(in: 0..<200)
        #expect(found.count >= 150 && found.count < 200)
        #expect(fixture.store.statistics.damaged == 200 - found.count)
        // Damaged values are forgotten, and can be written again.
        fixture.store.flush()
        fixture.write(0..<200)
        #expect(fixture.found(in: 0..<200).count == 200)
    }

    @Test("a damaged index is replaced by an empty one", arguments: [0, 20, 4_096, 9_000])
    func damagedIndex(_ offset: Int) throws {
        let fixture = try StoreFixture()
        fixture.write(0..<500)
        fixture.store.close()
        let path = fixture.folder + "/index.sqlite"
        var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        for index in offset..<min(offset + 3_000, bytes.count) { bytes[index] = 0xA5 }
        try bytes.write(to: URL(fileURLWithPath: path))
        try fixture.reopen()
        // Whatever is found is right. After the first failure the store rests, and nothing waits for it.
        _ = fixture.found(in: 0..<500)
        #expect(fixture.store.statistics.hits <= 500)
    }

    @Test("an index that turns out to be damaged while it is used is replaced after a rest", arguments: [4_096, 9_000])
    func damageInside(_ offset: Int) throws {
        let fixture = try StoreFixture()
        fixture.write(0..<2_000, byteCount: 100)
        fixture.store.close()
        let path = URL(fileURLWithPath: fixture.folder + "/index.sqlite")
        var bytes = try Data(contentsOf: path)
        for index in offset..<bytes.count { bytes[index] = 0xA5 }
        try bytes.write(to: path)

        let now = Mutex(MonotonicTime.zero)
        let store = DiskStore(
            DiskStore.Configuration(folder: fixture.folder, byteLimit: 64 << 20), access: StoreFileAccess(),
            clock: { now.withLock { $0 } })
        defer { store.close() }
        for number in 0..<2_000 { _ = store.value(for: StoreFixture.key(number)) }
        #expect(store.statistics.failure != nil)
        #expect(store.statistics.hits < 2_000)
        now.withLock { $0 = $0.advanced(by: .seconds(61)) }
        store.put(StoreFixture.value(1, byteCount: 100), for: StoreFixture.key(1))
        store.flush()
        #expect(store.value(for: StoreFixture.key(1)) == StoreFixture.value(1, byteCount: 100))
        #expect(store.statistics.failure == nil)
    }

    @Test("a full disk loses what is being written, and the store says so and goes on later")
    func fullDisk() throws {
        let isFull = Mutex(false)
        let access = StoreFileAccess(write: { descriptor, bytes, offset in
            guard !isFull.withLock({ $0 }) else {
                errno = ENOSPC
                return -1
            }
            return pwrite(descriptor, bytes.baseAddress!, bytes.count, off_t(offset))
        })
        let fixture = try StoreFixture(access: access)
        fixture.write(0..<50)
        isFull.withLock { $0 = true }
        fixture.write(50..<60)
        #expect(fixture.store.statistics.drops == 10)
        // What is there is still found.
        #expect(fixture.found(in: 0..<60) == Array(0..<50))
        guard case .unusable(_, ENOSPC)? = fixture.store.statistics.failure else {
            Issue.record("a failure that is not told: \(String(describing: fixture.store.statistics.failure))")
            return
        }
    }

    @Test("of a batch that fails in the middle, what has been written counts as written, and the rest as dropped")
    func failingBatch() throws {
        let writeCount = Mutex(0)
        let access = StoreFileAccess(write: { descriptor, bytes, offset in
            let count = writeCount.withLock { count in
                count += 1
                return count
            }
            guard count <= 3 else {
                errno = ENOSPC
                return -1
            }
            return pwrite(descriptor, bytes.baseAddress!, bytes.count, off_t(offset))
        })
        let (begun, gate) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let fixture = try StoreFixture(byteLimit: 8 << 20, access: access)
        fixture.store.put(StoreFixture.key(0), byteCount: 1) {
            begun.signal()
            gate.wait()
            return nil
        }
        begun.wait()
        // A batch of two transactions. The first one fills two segments and begins a third, each by one call.
        for number in 1...30 {
            fixture.store.put(StoreFixture.value(number, byteCount: 12_288), for: StoreFixture.key(number))
        }
        gate.signal()
        fixture.store.flush()
        #expect(fixture.store.statistics.writes == 21)
        #expect(fixture.store.statistics.drops == 9)
        #expect(fixture.found(in: 1..<31) == Array(1..<22))
        // Reads that the index learns of do not show that the disk has room again.
        fixture.store.flush()
        guard case .unusable(_, ENOSPC)? = fixture.store.statistics.failure else {
            Issue.record("a failure that is not told: \(String(describing: fixture.store.statistics.failure))")
            return
        }
    }

    @Test("while a look-up hangs, statistics, put and close do not wait for the disk")
    func hangingRead() throws {
        let disk = HangingRead()
        let fixture = try StoreFixture(access: disk.access)
        fixture.write(0..<10)
        try disk.hang(fixture.store)
        #expect(fixture.store.statistics.hits == 0)
        #expect(fixture.store.put(StoreFixture.value(11, byteCount: 100), for: StoreFixture.key(11)))
        fixture.store.close()
        #expect(fixture.store.statistics.writes == 11)
        disk.goOn()
        #expect(fixture.store.statistics.hits == 1)
    }

    @Test("while a look-up hangs, ending idle read transactions waits for nothing, and other look-ups go on")
    func idleReadsBesideAHangingRead() throws {
        let disk = HangingRead()
        let fixture = try StoreFixture(access: disk.access)
        fixture.write(0..<10)
        try disk.hang(fixture.store)
        // As the alarm does. A wait for the hanging lane would never end here.
        for _ in 0..<100 {
            fixture.store.endIdleReads()
            #expect(fixture.store.value(for: StoreFixture.key(2)) != nil)
        }
        disk.goOn()
    }

    @Test("closing does not wait without end for a disk that hangs")
    func hangingWrite() throws {
        let gate = DispatchSemaphore(value: 0)
        let access = StoreFileAccess(write: { descriptor, bytes, offset in
            gate.wait()
            return pwrite(descriptor, bytes.baseAddress!, bytes.count, off_t(offset))
        })
        let fixture = try StoreFixture(access: access, closingTime: .zero)
        fixture.store.put(StoreFixture.value(1, byteCount: 100), for: StoreFixture.key(1))
        fixture.store.close()
        #expect(fixture.store.statistics.writes == 0)
        #expect(fixture.store.value(for: StoreFixture.key(1)) == nil)
        gate.signal()
    }

    @Test("closing does not wait without end for an index that hangs, where there are only reads to tell it of")
    func hangingIndex() throws {
        let fixture = try StoreFixture()
        fixture.write(0..<10)
        let store = DiskStore(
            DiskStore.Configuration(folder: fixture.folder, byteLimit: 64 << 20), access: StoreFileAccess(),
            closingTime: .zero)
        #expect(store.value(for: StoreFixture.key(1)) != nil)
        // Nobody can write to the index meanwhile. A thread that waits for it gives up after some seconds.
        let database = try SQLiteDatabase(path: fixture.folder + "/index.sqlite")
        try database.execute("BEGIN IMMEDIATE")
        store.close()
        // The thread may have given up already where this one was held up.
        #expect([nil, .busy].contains(store.statistics.failure))
        try database.execute("COMMIT")
    }

    @Test("a store that is closed twice keeps its folder until its last values are written")
    func closingTwice() throws {
        let (begun, gate, ended) = (
            DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
        )
        let fixture = try StoreFixture(closingTime: .zero)
        fixture.store.put(StoreFixture.key(1), byteCount: 1) {
            begun.signal()
            gate.wait()
            return nil
        }
        begun.wait()
        let isKept = Mutex(false)
        fixture.store.put(StoreFixture.key(2), byteCount: 1) { [store = fixture.store, folder = fixture.folder] in
            // This is the store's thread, at its last batch.
            store.close()
            let descriptor = open(folder + "/lock", O_RDWR)
            isKept.withLock { $0 = flock(descriptor, LOCK_EX | LOCK_NB) != 0 }
            close(descriptor)
            ended.signal()
            return nil
        }
        fixture.store.close()
        gate.signal()
        ended.wait()
        #expect(isKept.withLock { $0 })
    }

    @Test("a closed store finds nothing, and what was read before is known to the index")
    func closed() throws {
        let fixture = try StoreFixture()
        fixture.write(0..<10)
        try fixture.reopen()
        let store = fixture.store
        #expect(store.value(for: StoreFixture.key(1)) != nil)
        store.close()
        #expect(store.value(for: StoreFixture.key(1)) == nil)
        let index = try StoreIndex(path: fixture.folder + "/index.sqlite", logPageCount: 16)
        #expect(try index.entry(StoreFixture.key(1))?.isUsed == true)
        #expect(try index.entry(StoreFixture.key(2))?.isUsed == false)
    }

    @Test("the index knows at the end of reads that were taken with an earlier batch", .endsHangs)
    func closedLater() throws {
        let fixture = try StoreFixture()
        fixture.write(0..<10)
        try fixture.reopen()
        let store = fixture.store
        #expect(store.value(for: StoreFixture.key(1)) != nil)
        store.put(StoreFixture.value(10, byteCount: 12_288), for: StoreFixture.key(10))
        while store.statistics.writes == 0 { sched_yield() }
        store.close()
        let index = try StoreIndex(path: fixture.folder + "/index.sqlite", logPageCount: 16)
        #expect(try index.entry(StoreFixture.key(1))?.isUsed == true)
    }

    @Test("a closed store does not open its folder again, not even to tell the index of a look-up that ended later")
    func afterClosing() throws {
        let disk = HangingRead()
        let fixture = try StoreFixture(access: disk.access)
        fixture.write(0..<10)
        try disk.hang(fixture.store)
        fixture.store.close()
        disk.goOn()
        #expect(fixture.store.statistics.hits == 1)
        fixture.store.flush()
        #expect(throws: StoreError.closed) { try fixture.store.open() }
        #expect(fixture.store.value(for: StoreFixture.key(1)) == nil)
        #expect(fixture.store.statistics.failure == nil)
        let descriptor = open(fixture.folder + "/lock", O_RDWR)
        defer { close(descriptor) }
        #expect(flock(descriptor, LOCK_EX | LOCK_NB) == 0, "somebody has the folder open")
    }

    @Test("a file of a later version is refused by name")
    func laterVersion() throws {
        let fixture = try StoreFixture()
        fixture.store.close()
        let database = try SQLiteDatabase(path: fixture.folder + "/index.sqlite")
        try database.execute("PRAGMA user_version=99")
        #expect(throws: StoreError.laterVersion(99)) { try fixture.reopen() }
    }

    @Test("segments that somebody deletes cost their values")
    func deletedSegments() throws {
        let fixture = try StoreFixture()
        fixture.write(0..<100)
        try fixture.reopen()
        for path in fixture.segmentPaths { try FileManager.default.removeItem(atPath: path) }
        #expect(fixture.found(in: 0..<100) == [])
        fixture.store.flush()
        fixture.write(0..<100)
        #expect(fixture.found(in: 0..<100).count == 100)
    }

    @Test("a segment that cannot be opened at the moment keeps its values")
    func unopenableSegment() throws {
        let fixture = try StoreFixture()
        fixture.write(0..<10)
        fixture.store.close()
        let path = try #require(fixture.segmentPaths.first)
        // A link to itself cannot be opened, and yet there is a file of that name.
        try FileManager.default.moveItem(atPath: path, toPath: path + ".aside")
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: path)

        let now = Mutex(MonotonicTime.zero)
        let store = DiskStore(
            DiskStore.Configuration(folder: fixture.folder, byteLimit: 64 << 20), access: StoreFileAccess(),
            clock: { now.withLock { $0 } })
        defer { store.close() }
        #expect(store.value(for: StoreFixture.key(1)) == nil)
        #expect(store.statistics.damaged == 0)
        #expect(store.statistics.failure == .unusable(path: path, code: ELOOP))
        #expect(throws: StoreError.unusable(path: path, code: ELOOP)) { try store.verify() }
        store.flush()

        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.moveItem(atPath: path + ".aside", toPath: path)
        now.withLock { $0 = $0.advanced(by: .seconds(61)) }
        #expect(store.value(for: StoreFixture.key(1)) == StoreFixture.value(1, byteCount: 12_288))
        #expect(store.statistics.failure == nil)
    }

    @Test("a process goes on in the segment that it has locked, and other files are opened for reading only")
    func opening() throws {
        let fixture = try StoreFixture()
        fixture.write(0..<10)
        let number = try #require(fixture.store.segments.numbers.first)
        let made = try #require(try fixture.store.segments.file(number))
        #expect(made.isWritable)
        #expect(try fixture.store.segments.fileForAppending(number) === made)
        try fixture.reopen()
        #expect(try fixture.store.segments.file(number)?.isWritable == false)
        fixture.write(10..<20)
        #expect(fixture.found(in: 0..<20).count == 20)
        #expect(try fixture.store.segments.file(number + 100) == nil)
    }

    @Test("rests grow from a second to a minute, and end with a success")
    func health() {
        var health = StoreHealth()
        var now = MonotonicTime.zero
        var rests: [Int] = []
        for _ in 0..<8 {
            health.noteFailure(.busy, at: now)
            var seconds = 0
            while !health.isUsable(at: now) {
                now = now.advanced(by: .seconds(1))
                seconds += 1
            }
            rests.append(seconds)
        }
        #expect(rests == [1, 2, 4, 8, 16, 32, 60, 60])
        health.noteSuccess()
        #expect(health.failure == nil)
        health.noteFailure(.busy, at: now)
        #expect(health.isUsable(at: now.advanced(by: .seconds(1))))
    }
}
