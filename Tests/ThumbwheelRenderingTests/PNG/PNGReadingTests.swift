import Testing
import ThumbwheelCore
import ThumbwheelFormats

@testable import ThumbwheelRendering

@Suite("PNG: what is read, and when it stops")
struct PNGReadingTests {
    /// A megabyte that do not compress.
    private static let file: [UInt8] = {
        var random = SplitMix(state: 11)
        var file = PNGFile(width: 300, height: 1200, pack: PNGChunks.stored, dataByteCount: 30_000)
        file.sample = { _, _, _ in Int(random.next() & 255) }
        return file.encoded()
    }()

    private static func decode(_ source: any ByteSource, _ token: CancellationToken? = nil) throws -> PNGDecode {
        try PNGDecode(
            source, usesCalibration: true, limits: RenderLimits(),
            guardian: DecodeGuard(cancellation: token, duration: .seconds(3600)))
    }

    @Test("a file is read once, in pieces of a bounded size")
    func pieces() throws {
        let source = CountingByteSource(Self.file)
        #expect(DecodedRows(try Self.decode(source)).error == nil)
        #expect(source.copiedByteCount <= Self.file.count)
        #expect(source.readCount <= Self.file.count / 60_000 + 4)
        #expect(source.largestRead <= 64 << 10)
    }

    @Test("what lies behind the last row that is needed is not read")
    func upperRows() throws {
        let source = CountingByteSource(Self.file)
        let rows = DecodedRows(try Self.decode(source), rows: 100..<200)
        #expect(rows.error == nil && rows.count == 100)
        #expect(source.copiedByteCount < 200 * 901 + (64 << 10) * 2)
    }

    @Test("metadata in front are passed over unread")
    func metadata() throws {
        let bytes = PNGChunks.inserting("iTXt", [UInt8](repeating: 7, count: 1 << 20), into: Self.file)
        let source = CountingByteSource(bytes)
        #expect(DecodedRows(try Self.decode(source)).error == nil)
        #expect(source.copiedByteCount < Self.file.count + (128 << 10))
    }

    @Test("a read that fails is the error, and so is a file that becomes shorter")
    func failures() throws {
        let (file, source) = (Self.file, FailingByteSource(Self.file, from: 1 << 18))
        let rows = DecodedRows(try Self.decode(source))
        #expect(rows.error == .source(.unreadable(path: "", code: 5)))
        #expect(rows.count > 150 && rows.count < 300)
        let shorter = FailingByteSource(file, from: 1 << 18, endsThere: true)
        guard case .truncated(let fraction) = DecodedRows(try Self.decode(shorter)).error else {
            Issue.record("it is whole")
            return
        }
        #expect(abs(fraction - 0.25) < 0.01)
    }

    @Test(
        "a cancelled decode ends within a few rows, interlaced or compressed a thousandfold", arguments: [false, true])
    func cancelling(isInterlaced: Bool) throws {
        var file = PNGFile(width: 1500, height: 1000)
        file.isInterlaced = isInterlaced
        file.sample = { _, _, _ in 0 }
        file.filter = { _ in 4 }
        let bytes = file.encoded()
        let token = CancellationToken()
        let decode = try Self.decode(MemoryByteSource(bytes), token)
        var count = 0
        let (made, error) = decode.forEachRow(in: 0..<1000) { _ in
            count += 1
            if count == 50 { token.cancel() }
        }
        #expect(error == .cancelled && made == count && count < 70)
        #expect(DecodedRows(try Self.decode(MemoryByteSource(bytes), CancellationToken())).error == nil)
        #expect(throws: RenderError.cancelled) { try Self.decode(MemoryByteSource(bytes), token) }
    }
}

/// A source that cannot be read from some byte on, or ends there though it said that it was longer.
private struct FailingByteSource: ByteSource {
    private let bytes: MemoryByteSource
    private let end: Int
    private let endsThere: Bool

    init(_ bytes: [UInt8], from end: Int, endsThere: Bool = false) {
        self.bytes = MemoryByteSource(bytes)
        self.end = end
        self.endsThere = endsThere
    }

    var byteCount: Int { bytes.byteCount }

    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(ByteSourceError) -> Int {
        guard offset + buffer.count > end else { return bytes.read(into: buffer, at: offset) }
        guard endsThere else { throw .unreadable(path: "", code: 5) }
        return bytes.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<max(0, end - offset)]), at: offset)
    }
}
