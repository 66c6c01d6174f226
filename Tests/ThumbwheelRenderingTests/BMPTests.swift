import Testing
import ThumbwheelCore
import ThumbwheelFormats

@testable import ThumbwheelRendering

@Suite("Windows and OS/2 bitmaps")
struct BMPTests {
    static func little(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    /// A file with Windows's header of 40 bytes; what stands between it and the pixels is `middle`.
    static func file(
        _ width: Int, _ height: Int, bits: Int, compression: Int = 0, colors: Int = 0, middle: [UInt8] = [],
        pixels: [UInt8]
    ) -> [UInt8] {
        let offset = 54 + middle.count
        let front: [UInt8] = [0x42, 0x4D] + little(offset + pixels.count, 4) + little(0, 4) + little(offset, 4)
        var header = little(40, 4) + little(width, 4) + little(height, 4) + [1, 0] + little(bits, 2)
        header += little(compression, 4) + little(pixels.count, 4) + little(0, 8) + little(colors, 4) + little(0, 4)
        return front + header + middle + pixels
    }

    /// Colour i of this palette is (i, 100 + i, 200).
    static let palette: [UInt8] = (0..<16).flatMap { [200, UInt8(100 + $0), UInt8($0), 0] }

    private func render(_ bytes: [UInt8], quality: RenderQuality = .high) throws -> RenderedImage {
        try Renderer().render(
            MemoryByteSource(bytes), options: RenderOptions(targetSize: .maximum, quality: quality))
    }

    /// The palette indices of an image in `palette`, row by row.
    private func indices(_ bytes: [UInt8]) throws -> [[Int]] {
        let bitmap = try render(bytes).bitmap
        let samples = Pictures.samples(bitmap)
        return (0..<bitmap.size.height).map { y in
            (0..<bitmap.size.width).map { Int(samples[(y * bitmap.size.width + $0) * 3]) }
        }
    }

    @Test("palettes of every depth, rows padded and from the bottom up")
    func palettes() throws {
        let rows = [[1, 0, 1, 1, 0], [0, 0, 1, 0, 1], [1, 1, 0, 0, 0]]
        for bits in [1, 2, 4, 8] {
            let pixels = rows.reversed().flatMap { row -> [UInt8] in
                var line = [UInt8](repeating: 0, count: (5 * bits + 31) / 32 * 4)
                for (x, index) in row.enumerated() { line[x * bits / 8] |= UInt8(index << (8 - bits - x * bits % 8)) }
                return line
            }
            let bytes = Self.file(
                5, 3, bits: bits, colors: 2, middle: Array(Self.palette[..<8]), pixels: pixels)
            #expect(try indices(bytes) == rows)
            #expect(try render(bytes).decoder == .bmp)
        }
    }

    @Test("runs, literals and moves of 8 bits")
    func runs() throws {
        let pixels: [UInt8] = [
            3, 7, 0, 3, 1, 2, 3, 0, 0, 0,  // three 7s, then 1 2 3 and a byte of padding
            0, 2, 1, 1, 200, 9, 0, 1,  // one right and one up; a run longer than its row; the end
        ]
        let bytes = Self.file(6, 4, bits: 8, compression: 1, colors: 16, middle: Self.palette, pixels: pixels)
        #expect(
            try indices(bytes) == [
                [0, 0, 0, 0, 0, 0], [0, 9, 9, 9, 9, 9], [0, 0, 0, 0, 0, 0], [7, 7, 7, 1, 2, 3],
            ])
    }

    @Test("runs and literals of 4 bits")
    func narrowRuns() throws {
        let pixels: [UInt8] = [5, 0x12, 0, 0, 0, 5, 0x34, 0x56, 0x70, 0, 0, 1]
        let bytes = Self.file(5, 2, bits: 4, compression: 2, colors: 16, middle: Self.palette, pixels: pixels)
        #expect(try indices(bytes) == [[3, 4, 5, 6, 7], [1, 2, 1, 2, 1]])
    }

    @Test("OS/2's short header with its palette of three bytes a colour")
    func core() throws {
        let palette: [UInt8] = [200, 100, 0, 200, 101, 1]
        let front: [UInt8] = [0x42, 0x4D] + Self.little(0, 8) + Self.little(32, 4)
        let header = Self.little(12, 4) + [4, 0, 1, 0, 1, 0, 1, 0]
        #expect(try indices(front + header + palette + [0b1010_0000, 0, 0, 0]) == [[1, 0, 1, 0]])
    }

    @Test("bit fields of any place and width; rows from the top down")
    func fields() throws {
        let masks = Self.little(0xF800, 4) + Self.little(0x07E0, 4) + Self.little(0x001F, 4)
        let pixels = Self.little(0xF800, 2) + Self.little(0x07E0, 2) + Self.little(0x001F, 2) + Self.little(0, 2)
        let bytes = Self.file(2, -2, bits: 16, compression: 3, middle: masks, pixels: pixels)
        #expect(Pictures.samples(try render(bytes).bitmap) == [255, 0, 0, 0, 255, 0, 0, 0, 255, 0, 0, 0])
    }

    @Test("a mask of more than 8 bits keeps the highest, one of none is 0")
    func masks() {
        #expect(BMPChannelMask(0x3FF0_0000).level(of: 0x3FF0_0000) == 255)
        #expect(BMPChannelMask(0x3FF0_0000).level(of: 0x2000_0000) == 128)
        #expect(BMPChannelMask(0).level(of: .max) == 0)
        #expect(BMPChannelMask(0xFFFF_FFFF).level(of: 0x8000_0000) == 128)
    }

    @Test("a file cut short lacks its top: an error at high quality, grey at fast")
    func truncated() throws {
        let pixels = [UInt8](repeating: 10, count: 4 * 12)
        let whole = Self.file(4, 4, bits: 24, pixels: pixels)
        let cut = Array(whole.dropLast(13))
        #expect(throws: RenderError.truncated(decodedFraction: 0.5)) { try render(cut) }
        let image = try render(cut, quality: .fast)
        #expect(image.isPartial)
        let samples = Pictures.samples(image.bitmap)
        #expect(samples[..<24].allSatisfy { $0 == 128 } && samples[24...].allSatisfy { $0 == 10 })
        #expect(throws: RenderError.truncated(decodedFraction: 0)) { try render(Array(whole[..<60]), quality: .fast) }
    }

    @Test("a row as long as the file stops at the next read; codes right of the picture are not walked twice")
    func endlessRow() throws {
        let runs = [[UInt8]](repeating: [1, 5], count: 1 << 20).flatMap { $0 }
        let palette = [UInt8](repeating: 9, count: 1024)
        let bytes = Self.file(64, 2, bits: 8, compression: 1, middle: palette, pixels: runs)
        let options = RenderOptions(targetSize: PixelSize(width: 9, height: 9))
        let head = try ImageHead(reading: MemoryByteSource(bytes))
        let whole = CountingByteSource(bytes)
        #expect(throws: RenderError.self) { try Renderer().render(whole, head: head, options: options) }
        #expect(whole.readCount < bytes.count / (16 << 10) + 8)
        for read in [3, 40, 100] {
            let token = CancellationToken()
            let source = CountingByteSource(bytes, cancelling: token, atRead: read)
            #expect(throws: RenderError.cancelled) {
                try Renderer().render(source, head: head, options: options, cancellation: token)
            }
            #expect(source.readCountAfterCancelling == 0)
        }
    }

    @Test("headers that promise far more than there is cost nothing")
    func bombs() throws {
        for (width, height, bits, compression) in [
            (1 << 30, 1, 8, 1), (1, 1 << 30, 8, 1), (65_500, 65_500, 24, 0), (1 << 20, 200, 8, 1), (3, 3, 8, 4),
        ] {
            let bytes = Self.file(width, height, bits: bits, compression: compression, pixels: [0, 1])
            let source = CountingByteSource(bytes)
            #expect(throws: RenderError.self) {
                try Renderer().render(source, options: RenderOptions(targetSize: PixelSize(width: 9, height: 9)))
            }
            #expect(source.readCount < 8)
        }
    }
}
