import Testing
import ThumbwheelCore
import ThumbwheelFormats

/// Files that would cost much if their heads were believed. What is counted is what is read of them.
@Suite("Heads of bombs")
struct BombTests {
    private static let limit = 1 << 20

    @Test("a directory that points at itself, as the next, below itself and as EXIF's own, is read once")
    func circles() throws {
        let circle = TIFFBytes(
            directories: [
                [
                    (0x0100, .long(3)), (0x0101, .long(2)), (0x014A, .directory(0)), (0x8769, .directory(0)),
                    (0xA005, .directory(0)),
                ]
            ], chain: [0: 0]
        ).encoded()
        for bytes in [circle, JPEGBytes.start + JPEGBytes.exif(circle) + JPEGBytes.frame(3, 2)] {
            let source = CountingSource(bytes)
            let head = try ImageHead(reading: source)
            #expect(head.storedSize == PixelSize(width: 3, height: 2) && head.frameCount == 1)
            #expect(source.tally.total < 64 << 10)
        }
    }

    @Test("directories that hold hundreds of others, each of them all the rest, come to an end")
    func webOfDirectories() throws {
        let below = (0..<200).map { _ in [(tag: 0x014A, value: TIFFBytes.Value.directory(0))] }
        let main: [(tag: Int, value: TIFFBytes.Value)] = [
            (0x0100, .long(3)), (0x0101, .long(2)), (0x014A, .directory(1)),
        ]
        let chain = Dictionary(uniqueKeysWithValues: (0..<200).map { ($0, $0 + 1) })
        let source = CountingSource(TIFFBytes(directories: [main] + below, chain: chain).encoded())
        #expect(try ImageHead(reading: source).frameCount == 201)
        #expect(source.tally.total <= Self.limit)
    }

    @Test("a profile of a hundred megabytes is described, not read")
    func profile() throws {
        let count = 100 << 20
        let front = PNGBytes.header(3, 2) + .big(count, 4) + .text("iCCP") + .text("big\0\0")
        let source = SparseSource(front, byteCount: front.count - 5 + count + 4)
        let head = try ImageHead(reading: source)
        #expect(head.profile?.byteCount == count)
        #expect(source.tally.total < 256 << 10)
    }

    @Test("an animation of a hundred thousand pictures is counted up to the limit")
    func frames() throws {
        let frame: [UInt8] = [0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x4C, 1, 0]
        let frames = [[UInt8]](repeating: frame, count: 100_000).flatMap { $0 }
        let source = CountingSource(.text("GIF89a") + [1, 0, 1, 0, 0x80, 0, 0] + .zeros(6) + frames + [0x3B])
        #expect(try ImageHead(reading: source).frameCount == 1001)
        #expect(source.tally.total < 256 << 10)
    }

    @Test("previews that lie about where they are, or lie in each other, cost no more than the head may")
    func previews() throws {
        // Every byte of the preview looks like the start of another segment.
        let filler = [UInt8](repeating: 0xFF, count: 60_000)
        let bytes =
            JPEGBytes.start + JPEGBytes.exif(TIFFBytes.exif(preview: [0xFF, 0xD8] + filler)) + JPEGBytes.frame(3, 2)
        let source = CountingSource(bytes)
        #expect(try ImageHead(reading: source).previews.map(\.pixelSize) == [nil])
        #expect(source.tally.total < 200_000)
    }
}

/// A few bytes in front of any number of zeros.
private final class SparseSource: ByteSource {
    let byteCount: Int
    let tally = Tally()
    private let front: MemoryByteSource

    init(_ front: [UInt8], byteCount: Int) {
        self.front = MemoryByteSource(front)
        self.byteCount = byteCount
    }

    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) -> Int {
        let count = min(buffer.count, max(0, byteCount - offset))
        buffer.initializeMemory(as: UInt8.self, repeating: 0)
        _ = front.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<count]), at: offset)
        tally.add(count)
        return count
    }
}
