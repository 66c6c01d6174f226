import Testing
import Thumbwheel
import ThumbwheelLocks

@testable import ThumbwheelReplay

@Suite struct PhotographSetTests {
    /// Counts the bytes that are read from it.
    private final class CountingSource: ByteSource {
        let byteCount: Int
        private let bytes: [UInt8]
        private let count = Mutex(0)

        init(_ bytes: [UInt8]) {
            self.bytes = bytes
            byteCount = bytes.count
        }

        var readByteCount: Int { count.withLock(\.self) }

        func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(ByteSourceError) -> Int {
            let copied = MemoryByteSource(bytes).read(into: buffer, at: offset)
            count.withLock { $0 += copied }
            return copied
        }
    }

    private func hash(_ files: [[UInt8]]) throws -> String {
        try PhotographSet(outlining: files.map { MemoryByteSource($0) }).contentHash
    }

    @Test("only the beginning and the end of a large photograph are read, and progress is reported")
    func outline() throws {
        let sources = [1_000_000, 20_000, 5, 0].map { CountingSource([UInt8](repeating: 7, count: $0)) }
        var told: [Int] = []
        let set = try PhotographSet(outlining: sources) { told.append($0) }
        #expect(set.count == 4)
        #expect(set.bytes == 1_020_005)
        #expect(told == [1, 2, 3, 4])
        #expect(sources.map(\.readByteCount) == [32 << 10, 20_000, 5, 0])
    }

    @Test("sets differ by lengths, beginnings, ends and order; equal bytes give equal sets")
    func identity() throws {
        let file = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 3) }
        var (head, tail) = (file, file)
        head[10] ^= 1
        tail[99_990] ^= 1
        let sets = [
            [file], [head], [tail], [file + [0]], [file, file], [file, head], [head, file], [], [[]], [[1], [2, 3]],
            [[1, 2], [3]],
        ]
        let hashes = try sets.map(hash)
        #expect(Set(hashes).count == sets.count)
        #expect(try sets.map(hash) == hashes)
        #expect(hashes.allSatisfy { $0.count == "outline-".count + 16 })
    }

    @Test("the hash of all contents matches older documents")
    func contents() throws {
        // FNV-1a's own test vectors.
        #expect(try PhotographSet(reading: []).contentHash == "cbf29ce484222325")
        #expect(try PhotographSet(reading: [MemoryByteSource(Array("foobar".utf8))]).contentHash == "85944171f73967e8")
    }
}
