import Testing
import ThumbwheelCore
import ThumbwheelFormats

@testable import ThumbwheelRendering

/// A preview may have as many pixels as its photograph, in a few bytes.
@Suite("Memory of large previews")
struct PreviewMemoryTests {
    private static let side = 12_000

    /// A grey JPEG with two bits for each block.
    private static func plain(_ side: Int) -> [UInt8] {
        func segment(_ marker: UInt8, _ contents: [UInt8]) -> [UInt8] {
            [0xFF, marker, UInt8((contents.count + 2) >> 8), UInt8((contents.count + 2) & 255)] + contents
        }
        let (high, low) = (UInt8(side >> 8), UInt8(side & 255))
        let oneCode: [UInt8] = [1] + [UInt8](repeating: 0, count: 16)
        let blocks = (side + 7) / 8
        return [0xFF, 0xD8] + segment(0xDB, [0] + [UInt8](repeating: 1, count: 64))
            + segment(0xC0, [8, high, low, high, low, 1, 1, 0x11, 0])
            + segment(0xC4, [0x00] + oneCode) + segment(0xC4, [0x10] + oneCode)
            + segment(0xDA, [1, 1, 0, 0, 63, 0]) + [UInt8](repeating: 0, count: (blocks * blocks + 3) / 4)
            + [0xFF, 0xD9]
    }

    /// A photograph with a preview of its own size behind it.
    private static func file() throws -> (source: MemoryByteSource, head: ImageHead, previewByteCount: Int) {
        let picture = plain(side)
        var head = try ImageHead(reading: MemoryByteSource(picture))
        head.previews = [
            EmbeddedPreview(
                byteRange: picture.count..<2 * picture.count, contentType: .jpeg, pixelSize: head.storedSize)
        ]
        return (MemoryByteSource(picture + picture), head, picture.count)
    }

    @Test("a preview of 144 megapixels is predicted to take its bytes more than the photograph, and no picture")
    func prediction() throws {
        let (source, head, previewByteCount) = try Self.file()
        for target in [256, 2048, Self.side] {
            var options = RenderOptions(
                targetSize: PixelSize(width: target, height: target), contentMode: .aspectFit, quality: .fast)
            let cost = try RenderCost(head: head, options: options, byteCount: source.byteCount)
            options.usesEmbeddedPreviews = false
            let without = try RenderCost(head: head, options: options, byteCount: source.byteCount)
            #expect(cost.workingByteCount > without.workingByteCount)
            #expect(cost.workingByteCount <= without.workingByteCount + previewByteCount)
        }
    }

    @Test("within a limit of a twelfth of its pixels, such a preview serves, and beyond the limit the photograph does")
    func limit() throws {
        let (source, head, previewByteCount) = try Self.file()
        let options = RenderOptions(
            targetSize: PixelSize(width: 256, height: 256), contentMode: .aspectFit, quality: .fast)
        func origin(within byteCount: Int) throws -> RenderedImage.Source {
            try Renderer().render(
                source, head: head, options: options, limits: RenderLimits(memoryByteCount: byteCount)
            ).source
        }
        #expect(try origin(within: Self.side * Self.side / 12) == .embedded)
        #expect(try origin(within: previewByteCount) == .reduced)
    }
}
