import Testing
import Thumbwheel
import TortureKit

@Suite("Bombs through every entry point")
struct BombTests {
    @Test("a bomb ends as it must, for at most a mebibyte read by each call", arguments: Bomb.all())
    func ends(_ bomb: Bomb) {
        let costs = BombTrial(bomb).run()
        for cost in costs { #expect(cost.readByteCount <= Bomb.byteLimit, "\(cost.entry)") }
        // What has no head is refused there; else a rendering must end as it must at either quality.
        let renders = costs.filter { $0.entry == .highQuality || $0.entry == .fast }
        let ends = renders.isEmpty ? costs : renders
        guard let code = bomb.code else { return }
        #expect(ends.allSatisfy { $0.code == code }, "\(ends.map(\.code))")
    }

    @Test("limits of frames and of memory are held before anything is decoded")
    func limits() throws {
        let frames = try #require(Bomb.all().first { $0.name.hasPrefix("GIF of 100 000") })
        let source = BombSource(frames)
        let head = try ImageHead(reading: source)
        _ = source.takeReadByteCount()
        let options = RenderOptions(targetSize: PixelSize(width: 8, height: 8))
        #expect(throws: RenderError.limitExceeded(limit: .frames)) {
            try Renderer().render(source, head: head, options: options)
        }
        #expect(throws: RenderError.limitExceeded(limit: .memory)) {
            try Renderer().render(
                source, head: head, options: options, limits: RenderLimits(frameCount: .max, memoryByteCount: 1000))
        }
        #expect(source.takeReadByteCount() == 0)
        // Whoever allows for it gets the first frame.
        let image = try Renderer().render(source, head: head, options: options, limits: RenderLimits(frameCount: .max))
        #expect(image.bitmap.size == PixelSize(width: 1, height: 1))
        #expect(source.takeReadByteCount() <= Bomb.byteLimit)
    }
}

extension Bomb: CustomTestStringConvertible {
    public var testDescription: String { name }
}
