import Foundation
import ThumbwheelCore

@testable import ThumbwheelCaching

/// A store in a temporary folder of its own.
final class StoreFixture {
    let folder: String
    private(set) var store: DiskStore

    /// The folder of files in memory, where the system has one. A test that makes thousands of transactions has its store
    /// there, because each of them may wait for the disk.
    static var memory: URL {
        let folder = "/dev/shm"
        guard FileManager.default.isWritableFile(atPath: folder) else { return FileManager.default.temporaryDirectory }
        return URL(filePath: folder)
    }

    init(
        in parent: URL = FileManager.default.temporaryDirectory, byteLimit: Int = 64 << 20,
        access: StoreFileAccess = StoreFileAccess(), closingTime: Duration = .seconds(3600),
        clock: @escaping @Sendable () -> MonotonicTime = { .now }
    ) throws {
        folder = parent.appendingPathComponent("store-\(UUID().uuidString)").path
        store = DiskStore(
            DiskStore.Configuration(folder: folder, byteLimit: byteLimit), access: access, closingTime: closingTime,
            clock: clock)
        try store.open()
    }

    deinit {
        let (store, folder) = (store, folder)
        store.close()
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// Closes the store and opens it again, as another process would.
    func reopen(byteLimit: Int = 64 << 20) throws {
        store.close()
        store = DiskStore(
            DiskStore.Configuration(folder: folder, byteLimit: byteLimit), access: StoreFileAccess(),
            closingTime: .seconds(3600))
        try store.open()
    }

    /// Writes values and waits until they are on the disk.
    func write(_ numbers: Range<Int>, byteCount: Int = 12_288, cost: UInt32 = 0) {
        for number in numbers {
            store.put(Self.value(number, byteCount: byteCount, cost: cost), for: Self.key(number))
            if number % 256 == 0 { store.flush() }
        }
        store.flush()
    }

    /// The numbers of the values that the store has, each of which is checked.
    func found(in numbers: Range<Int>, byteCount: Int = 12_288) -> [Int] {
        numbers.filter { number in
            guard let value = store.value(for: Self.key(number)) else { return false }
            precondition(
                value.bytes == Self.value(number, byteCount: byteCount).bytes, "another value than was written")
            return true
        }
    }

    var indexPath: String { folder + "/index.sqlite" }

    /// All files of the store together, in bytes.
    var byteCountOnDisk: Int { Self.byteCount(ofFolder: folder) }

    static func byteCount(ofFolder folder: String) -> Int {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.reduce(0) { sum, name in
            let attributes = try? FileManager.default.attributesOfItem(atPath: folder + "/" + name)
            return sum + ((attributes?[.size] as? Int) ?? 0)
        }
    }

    var segmentPaths: [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.filter { $0.hasSuffix(".values") }.sorted().map { folder + "/" + $0 }
    }

    static func key(_ number: Int) -> StoreKey {
        var generator = SeededGenerator(seed: UInt64(number))
        return StoreKey(high: generator.next(), low: generator.next())
    }

    static func value(_ number: Int, byteCount: Int, cost: UInt32 = 0) -> StoredValue {
        var generator = SeededGenerator(seed: UInt64(number) ^ 0xABCD)
        var bytes = [UInt8](repeating: 0, count: byteCount)
        for index in stride(from: 0, to: byteCount, by: 64) {
            bytes[index] = UInt8(truncatingIfNeeded: generator.next())
        }
        return StoredValue(bytes, cost: cost)
    }
}
