import FixtureKit
import Testing

@Suite("Raster")
struct RasterTests {
    private let picture = Raster(Scene(seed: 9), width: 24, height: 16)

    @Test("displaying what was stored for an orientation gives the picture back", arguments: 1...8)
    func orientations(orientation: Int) {
        let stored = picture.stored(forOrientation: orientation)
        #expect(stored.width == (orientation >= 5 ? 16 : 24))
        // The two quarter turns undo each other; every other orientation undoes itself.
        let inverse = [6: 8, 8: 6][orientation] ?? orientation
        #expect(stored.stored(forOrientation: inverse) == picture)
    }

    @Test("orientation 6 is stored with its upper right corner first")
    func quarterTurn() {
        let marked = Raster(width: 3, height: 2, channels: 1, bytes: [1, 2, 3, 4, 5, 6])
        // Turned clockwise by the viewer, the stored rows 3 6, 2 5, 1 4 read 1 2 3, 4 5 6.
        #expect(marked.stored(forOrientation: 6).bytes == [3, 6, 2, 5, 1, 4])
        #expect(marked.stored(forOrientation: 3).bytes == [6, 5, 4, 3, 2, 1])
    }

    @Test("reducing averages")
    func reducing() {
        let picture = Raster(width: 4, height: 2, channels: 1, bytes: [10, 20, 1, 3, 30, 40, 5, 7])
        #expect(picture.reduced(toWidth: 2, height: 1).bytes == [25, 4])
    }

    @Test("a letterboxed picture lies in the middle of black")
    func letterboxing() {
        let picture = Raster(width: 2, height: 1, channels: 1, bytes: [8, 9])
        #expect(picture.letterboxed(toWidth: 2, height: 3).bytes == [0, 0, 8, 9, 0, 0])
    }

    @Test("greys stay grey in every colour space", arguments: [RGBSpace.sRGB, .displayP3, .adobeRGB])
    func neutrals(space: RGBSpace) {
        let ramp = Raster(width: 256, height: 1, channels: 3, bytes: (0...255).flatMap { [$0, $0, $0] })
        let bytes = space.encoding(ramp).bytes
        for first in stride(from: 0, to: bytes.count, by: 3) {
            let pixel = bytes[first..<first + 3]
            #expect(pixel.max()! - pixel.min()! <= 1)
        }
    }
}
