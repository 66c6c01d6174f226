import Foundation
import TestSupport
import Testing
import ThumbwheelCore

@testable import ThumbwheelCaching

/// Stores whose folder or files somebody deletes while they are in use.
@Suite(.endsHangs) struct LostFolderTests {
    enum Loss: CaseIterable {
        case folder
        case contents
        case index
    }

    @Test("a store whose files somebody deletes says so, and begins anew after a rest", arguments: Loss.allCases)
    func deleted(_ loss: Loss) throws {
        let clock = StoppedClock()
        let fixture = try StoreFixture(clock: { clock.now })
        fixture.write(0..<10)
        #expect(fixture.found(in: 0..<10).count == 10)
        fixture.store.flush()
        let names = try FileManager.default.contentsOfDirectory(atPath: fixture.folder)
        switch loss {
        case .folder: try FileManager.default.removeItem(atPath: fixture.folder)
        case .contents: for name in names { try FileManager.default.removeItem(atPath: "\(fixture.folder)/\(name)") }
        case .index:
            for name in names where name.hasPrefix("index.sqlite") {
                try FileManager.default.removeItem(atPath: "\(fixture.folder)/\(name)")
            }
        }
        // The thread that writes finds it out first, and look-ups by themselves.
        fixture.write(10..<20)
        #expect(fixture.store.statistics.failure == .unusable(path: fixture.indexPath, code: ENOENT))
        #expect(fixture.found(in: 0..<20) == [])
        clock.endRests()
        fixture.write(20..<30)
        #expect(fixture.found(in: 0..<30) == Array(20..<30))
        #expect(fixture.store.statistics.failure == nil)
        try fixture.reopen()
        #expect(fixture.found(in: 0..<30) == Array(20..<30))
    }

    @Test("a segment that somebody deletes while it is written to gets no more values")
    func deletedSegment() throws {
        let fixture = try StoreFixture()
        fixture.write(0..<10)
        for path in fixture.segmentPaths { try FileManager.default.removeItem(atPath: path) }
        fixture.write(10..<20)
        try fixture.reopen()
        #expect(fixture.found(in: 0..<20) == Array(10..<20))
    }

    @Test("emptying a store leaves what another process writes from then on")
    func emptying() throws {
        let fixture = try StoreFixture()
        fixture.write(0..<10)
        let other = DiskStore(DiskStore.Configuration(folder: fixture.folder, byteLimit: 64 << 20))
        defer { other.close() }
        let numbers = try fixture.store.removeEntries(from: fixture.store.openIndex())
        #expect(numbers.count == 1)
        for number in 10..<20 {
            other.put(StoreFixture.value(number, byteCount: 12_288), for: StoreFixture.key(number))
        }
        other.flush()
        for number in numbers { fixture.store.segments.delete(number) }
        fixture.store.flush()
        #expect(fixture.found(in: 0..<20) == Array(10..<20))
        fixture.store.flush()
        try other.removeAll()
        #expect(fixture.segmentPaths == [])
    }

    private typealias SetUser = @convention(c) @Sendable (UInt32) -> Int32

    /// The function by which a thread opens files as another user, which Swift's module of the C library lacks.
    private static let setUser: SetUser? = dlsym(dlopen(nil, RTLD_NOW), "setfsuid").map {
        unsafeBitCast($0, to: SetUser.self)
    }

    @Test(
        "a folder that could not be written is written once it can",
        .enabled(if: geteuid() == 0 && Self.setUser != nil, "only root can open files as another user"))
    func readOnlyBefore() throws {
        let fixture = try StoreFixture()
        fixture.write(0..<10)
        // Files that are new can be read by their own user alone, unless somebody lets others do so.
        chmod(fixture.folder, 0o755)
        for name in try FileManager.default.contentsOfDirectory(atPath: fixture.folder) {
            chmod(fixture.folder + "/" + name, 0o644)
        }
        let condition = StoreCondition(clock: { .now })
        let opener = StoreIndexOpener(
            DiskStore.Configuration(folder: fixture.folder, byteLimit: 64 << 20), fixture.store.segments, condition)
        let index: StoreIndex
        do {
            _ = Self.setUser?(65_534)
            defer { _ = Self.setUser?(0) }
            index = try opener.open()
        }
        #expect(try index.entry(StoreFixture.key(1)) != nil)
        #expect(throws: StoreError.readOnly) { try index.markUsed(row: StoreFixture.key(1).row) }
        let generation = condition.generation
        try opener.open().markUsed(row: StoreFixture.key(1).row)
        #expect(try index.entry(StoreFixture.key(1))?.isUsed == true)
        #expect(!condition.isCurrent(generation))
    }
}
