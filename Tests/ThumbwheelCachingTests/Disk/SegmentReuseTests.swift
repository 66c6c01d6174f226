import Foundation
import TestSupport
import Testing
import ThumbwheelCore
import ThumbwheelLocks

@testable import ThumbwheelCaching

/// Files of removed segments that become those of new ones.
@Suite(.endsHangs) struct SegmentReuseTests {
    private static let limit = 8 << 20

    private func linkCount(of path: String) throws -> Int {
        try #require(try FileManager.default.attributesOfItem(atPath: path)[.referenceCount] as? Int)
    }

    @Test("a full store writes over the files of the segments that it removes")
    func writtenOver() throws {
        let fixture = try StoreFixture(byteLimit: Self.limit)
        let scratch = try ScratchFolder()
        fixture.write(0..<600)
        // A second name tells whether the file lives on.
        var links: [String] = []
        for path in fixture.segmentPaths {
            links.append(scratch.path + "/\(links.count)")
            try FileManager.default.linkItem(atPath: path, toPath: links[links.count - 1])
        }
        fixture.write(600..<1_600)
        // All of them have been removed meanwhile, and the latest values are in their files.
        #expect(fixture.store.statistics.evictions > 700)
        let living = try links.count { try linkCount(of: $0) == 2 }
        #expect(living >= links.count * 3 / 4)
        #expect(fixture.found(in: 1_300..<1_600).count == 300)
        #expect(try fixture.store.verify().damagedCount == 0)
        #expect(fixture.store.statistics.damaged == 0)
    }

    @Test("a look-up whose file is written over finds nothing, or the value where it is now, and no damage")
    func staleLookUp() throws {
        let fixture = try StoreFixture(byteLimit: Self.limit)
        fixture.write(0..<600)
        // Another process, whose look-ups all see the index as it is now.
        let index = try StoreIndex(path: fixture.indexPath, logPageCount: 16)
        let segments = SegmentFolder(path: fixture.folder, access: StoreFileAccess())
        let reader = StoreReader(index, segments)
        func answer(_ number: Int) throws -> StoreReader.Answer {
            try reader.lookUp(StoreFixture.key(number), at: .zero)
        }
        guard case .found(let first) = try answer(1) else { throw Missing() }
        fixture.write(600..<1_300)
        fixture.write(2..<3)
        let present = try #require(try fixture.store.openIndex().entry(StoreFixture.key(2)))
        #expect(present.segment != first.entry.segment)
        let file = try #require(try segments.file(first.entry.segment))
        #expect(!file.isDeleted, "the file is in use again")
        guard case .found(let second) = try answer(2) else { throw Missing() }
        #expect(second.value == StoreFixture.value(2, byteCount: 12_288))
        #expect(second.entry == present)
        guard case .missing = try answer(3) else { throw Missing() }
    }

    private struct Missing: Error {}

    @Test("values of very different lengths leave no bytes behind them in files that are written over")
    func lengths() throws {
        let fixture = try StoreFixture(byteLimit: Self.limit)
        var random = SeededGenerator(seed: 5)
        var (number, most) = (0, 0)
        for round in 0..<300 {
            // Every other value is longer than a segment.
            for _ in 0..<4 {
                let byteCount = number.isMultiple(of: 2) ? 1_000 + random.index(below: 90_000) : 200_000
                fixture.store.put(
                    StoreFixture.value(number, byteCount: byteCount), for: StoreFixture.key(number))
                number += 1
            }
            fixture.store.flush()
            most = max(most, fixture.byteCountOnDisk)
            guard round > 100 else { continue }
            let statistics = fixture.store.statistics
            #expect(statistics.byteCount <= Self.limit)
        }
        #expect(Double(most) <= 1.05 * Double(Self.limit))
        #expect(try fixture.store.verify().damagedCount == 0)
    }

    @Test("files that nobody has needed are deleted in the end")
    func unneeded() throws {
        let scratch = try ScratchFolder()
        let segments = SegmentFolder(path: scratch.path, access: StoreFileAccess())
        var reuse = SegmentReuse(segments, byteLimit: Self.limit)
        let segmentByteCount = StoreRules.segmentByteCount(byteLimit: Self.limit)
        func make(_ number: Int64, byteCount: Int) throws {
            try segments.make(number).write([UInt8](repeating: 1, count: byteCount), at: 0)
        }
        try make(1, byteCount: segmentByteCount)
        reuse.take(1)
        #expect(segments.numbers == [1])
        reuse.end()
        #expect(segments.numbers == [])
        // Short files are not worth it, and long ones would count for less than they take.
        try make(2, byteCount: segmentByteCount / 4)
        try make(3, byteCount: segmentByteCount + 1)
        reuse.take(2)
        reuse.take(3)
        #expect(segments.numbers == [])
        // Another process may have deleted the file.
        try make(4, byteCount: segmentByteCount)
        reuse.take(4)
        segments.delete(4)
        #expect(try reuse.make(5).byteCount() == 0)
        #expect(segments.numbers == [5])
        // A file that a killed process has left behind makes way.
        try make(6, byteCount: segmentByteCount)
        reuse.take(6)
        try make(7, byteCount: 10)
        #expect(try reuse.make(7).byteCount() == segmentByteCount)
        #expect(segments.numbers == [5, 7])
    }
}
