import Testing
import ThumbwheelCore

@testable import ThumbwheelRendering

@Suite struct PackedBitmapTests {
    @Test("unpacked, every pixel is what it was, at whatever size", arguments: 0..<60 as Range<UInt64>)
    func roundTrip(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let size = PixelSize(width: 1 + random.index(below: 70), height: 1 + random.index(below: 40))
        let isSmall = size.width < 24 || size.height < 4
        let noise = 1 + random.index(below: 40)
        let bitmap = Bitmap(size: size, format: .rgb) { pixels in
            for index in pixels.indices {
                let (x, y, channel) = (index / 3 % size.width, index / 3 / size.width, index % 3)
                // Overflows now and then, as edges between black and white do.
                pixels[index] = UInt8(truncatingIfNeeded: x * 3 + y * (channel + 1) + random.index(below: noise))
            }
        }
        // Noise, the smallest, and rows of few pixels may not become smaller.
        guard let packed = PackedBitmap(bitmap) else { return #expect(isSmall || noise > 4, "seed \(seed)") }
        #expect(packed.byteCount < bitmap.byteCount)
        #expect(Pictures.samples(packed.unpacked()) == Pictures.samples(bitmap), "seed \(seed)")
    }

    @Test("smooth pictures take a fraction of their bytes")
    func ratio() throws {
        let bitmap = Bitmap(size: PixelSize(width: 256, height: 256), format: .rgb) { pixels in
            for index in pixels.indices { pixels[index] = UInt8((index / 3 % 256 + index / 768) / 2) }
        }
        #expect(try #require(PackedBitmap(bitmap)).byteCount * 4 < bitmap.byteCount)
    }

    @Test("noise and bitmaps with alpha are not packed")
    func unpackable() {
        var random = SeededGenerator(seed: 1)
        let noise = Bitmap(size: PixelSize(width: 64, height: 64), format: .rgb) { pixels in
            for index in pixels.indices { pixels[index] = UInt8(truncatingIfNeeded: random.next()) }
        }
        #expect(PackedBitmap(noise) == nil)
        #expect(PackedBitmap(Bitmap(size: PixelSize(width: 64, height: 64), format: .rgba) { _ in }) == nil)
    }
}
