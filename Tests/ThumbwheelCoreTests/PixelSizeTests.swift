import Testing
import ThumbwheelCore

@Suite struct PixelSizeTests {
    @Test("two whole numbers and an x between them are a size")
    func parsing() throws {
        let size = try #require(PixelSize("640x480"))
        #expect((size.width, size.height) == (640, 480))
        #expect(PixelSize("0x0") == .zero)
        #expect(PixelSize("0007x1"[...]) == PixelSize(width: 7, height: 1))
        #expect(PixelSize(size.description) == size)
    }

    @Test(
        "anything else is none",
        arguments: [
            "", "x", "640", "640x", "x480", "640x480x", "640x480x2", "640X480", "640 x 480", " 640x480", "640x480\n",
            "-1x-1", "+640x480", "6_40x480", "64.0x480", "640×480", "٦x٧", "99999999999999999999x1", "maximum",
        ])
    func otherText(text: String) {
        #expect(PixelSize(text) == nil)
    }

    @Test("the number of pixels saturates")
    func pixelCount() {
        #expect(PixelSize(width: 40_000, height: 30_000).pixelCount == 1_200_000_000)
        #expect(PixelSize(width: .max, height: .max).pixelCount == .max)
        #expect(PixelSize.zero.pixelCount == 0)
    }

    @Test("a size without width or without height is empty, and so is the maximum as a number")
    func emptiness() {
        #expect(PixelSize(width: 0, height: 5).isEmpty)
        #expect(PixelSize(width: 5, height: -1).isEmpty)
        #expect(!PixelSize(width: 1, height: 1).isEmpty)
        #expect(PixelSize.maximum.isEmpty)
        #expect(PixelSize.maximum.description == "maximum")
        #expect(PixelSize(width: 2, height: 3).transposed == PixelSize(width: 3, height: 2))
    }
}
