import Testing
import ThumbwheelCore
import ThumbwheelFormats

@Suite struct HeadLimitTests {
    @Test("megabytes of segments in front of the frame header are skipped, not read")
    func skippedSegments() throws {
        let segments = [[UInt8]](repeating: JPEGBytes.segment(0xE5, .zeros(65_000)), count: 150).flatMap { $0 }
        let source = CountingSource(JPEGBytes.start + segments + JPEGBytes.frame(6, 4))
        #expect(try ImageHead(reading: source).storedSize == PixelSize(width: 6, height: 4))
        #expect(source.tally.total < 200_000)
    }

    @Test("eighty thousand segments are refused")
    func tooManySegments() {
        let segments = [[UInt8]](repeating: JPEGBytes.segment(0xE5, []), count: 80_000).flatMap { $0 }
        #expect(headError(JPEGBytes.start + segments + JPEGBytes.frame(6, 4))?.isLimitExceeded == true)
    }

    @Test("megabytes of stray bytes are refused, and no more than the limit is read")
    func strayBytes() {
        let source = CountingSource([0xFF, 0xD8, 0xFF, 0x01] + .zeros(8_000_000))
        #expect(throws: HeadError.self) { try ImageHead(reading: source) }
        #expect(source.tally.total <= 1 << 20)
    }

    @Test("boxes in boxes and boxes beside boxes come to an end")
    func boxes() {
        let brands = HeadLimitTests.brands
        let flat = [[UInt8]](repeating: HEIFBytes.box("free", []), count: 100_000).flatMap { $0 }
        #expect(headError(brands + flat)?.isLimitExceeded == true)
        var nested: [UInt8] = []
        for depth in (0..<20_000).reversed() { nested += .big(12 * (depth + 1), 4) + .text("meta") + .zeros(4) }
        #expect(headError(brands + nested) != nil)
    }

    @Test("places of items that claim extents of no bytes come to an end")
    func emptyExtents() {
        let items = [[UInt8]](repeating: [0, 9, 0, 0, 0xFF, 0xFF], count: 60_000).flatMap { $0 }
        let location = HEIFBytes.fullBox("iloc", [0, 0] + .big(60_000, 2) + items)
        let kinds = HEIFBytes.fullBox("infe", version: 2, .big(2, 2) + [0, 0] + .text("Exif\0"))
        let properties = HEIFBytes.box(
            "iprp",
            HEIFBytes.box("ipco", HEIFBytes.size(3, 2))
                + HEIFBytes.fullBox("ipma", .big(1, 4) + .big(1, 2) + [1, 1]))
        let meta = HEIFBytes.fullBox(
            "meta",
            HEIFBytes.fullBox("pitm", .big(1, 2)) + HEIFBytes.fullBox("iinf", .big(1, 2) + kinds) + properties
                + location)
        #expect(headError(HeadLimitTests.brands + meta) == nil)
    }

    @Test("a source that promises more than it gives is truncated; one that fails passes its error on")
    func unreliableSources() {
        #expect(throws: HeadError.truncated) { try ImageHead(reading: UnreliableSource(error: nil)) }
        let error = ByteSourceError.unreadable(path: "a", code: 5)
        #expect(throws: HeadError.source(error)) { try ImageHead(reading: UnreliableSource(error: error)) }
    }

    private static let brands = HEIFBytes.box("ftyp", .text("heic") + .zeros(4))
}

/// A source that claims to be of any size, and gives nothing.
private struct UnreliableSource: ByteSource {
    let error: ByteSourceError?
    let byteCount = Int.max

    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(ByteSourceError) -> Int {
        if let error { throw error }
        return 0
    }
}
