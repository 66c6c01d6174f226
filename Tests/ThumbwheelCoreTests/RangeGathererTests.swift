import Testing
import ThumbwheelLocks

@testable import ThumbwheelCore

@Suite("Ranges that are gathered")
struct RangeGathererTests {
    private let contents = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }

    @Test("gathered bytes are those of the source, and a read of any other is told")
    func gathered() throws {
        let gatherer = RangeGatherer(MemoryByteSource(contents), byteLimit: contents.count)
        try gatherer.gather([70_000..<70_010, 290_000..<400_000, 5..<5])
        #expect(gatherer.gatheredByteCount == 16_384 + 300_000 - 17 * 16_384)
        let source = gatherer.gathered
        #expect(try source.bytes(in: 69_990..<70_020) == Array(contents[69_990..<70_020]))
        #expect(try source.bytes(in: 299_000..<400_000) == Array(contents[299_000...]))
        #expect(!source.isLacking && source.byteCount == 300_000)
        #expect(throws: ByteSourceError.self) { try source.bytes(in: 0..<10) }
        #expect(source.isLacking)
    }

    @Test("a reader that goes on gets more and more at once, and each byte once")
    func ahead() throws {
        let source = CountedSource(contents)
        let gatherer = RangeGatherer(source, byteLimit: contents.count)
        var read: [UInt8] = []
        while read.count < contents.count { read += try gatherer.bytes(in: read.count..<read.count + 1000) }
        #expect(read == contents)
        #expect(source.count == 6, "16, 16, 32, 64, 128 and the rest of 293 KiB")
        #expect(gatherer.gatheredByteCount == contents.count)
    }

    @Test("more than the limit, a cancelled token and a source that ends early are errors")
    func errors() throws {
        let small = RangeGatherer(MemoryByteSource(contents), byteLimit: 100_000)
        #expect(throws: ByteSourceError.network(.tooLarge(limit: 100_000))) { try small.gather([0..<200_000]) }
        let token = CancellationToken()
        token.cancel()
        let cancelled = RangeGatherer(MemoryByteSource(contents), byteLimit: 1 << 20, cancellation: token)
        #expect(throws: ByteSourceError.network(.cancelled)) { try cancelled.bytes(in: 0..<1) }
        let short = RangeGatherer(CountedSource(contents, claiming: 400_000), byteLimit: 1 << 20)
        #expect(throws: ByteSourceError.self) { try short.gather([290_000..<400_000]) }
    }
}

private final class CountedSource: ByteSource {
    private let contents: MemoryByteSource
    private let reads = Mutex(0)
    let byteCount: Int

    init(_ contents: [UInt8], claiming byteCount: Int? = nil) {
        self.contents = MemoryByteSource(contents)
        self.byteCount = byteCount ?? contents.count
    }

    var count: Int { reads.withLock { $0 } }

    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) -> Int {
        reads.withLock { $0 += 1 }
        return contents.read(into: buffer, at: offset)
    }
}
