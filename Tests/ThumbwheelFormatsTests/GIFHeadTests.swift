import Testing
import ThumbwheelCore
import ThumbwheelFormats

@Suite struct GIFHeadTests {
    private func screen(_ width: Int, _ height: Int) -> [UInt8] {
        // A global palette of four colours.
        .text("GIF89a") + .little(width, 2) + .little(height, 2) + [0x81, 0, 0] + .zeros(12)
    }

    private func picture(_ width: Int, _ height: Int) -> [UInt8] {
        [0x2C, 0, 0, 0, 0] + .little(width, 2) + .little(height, 2) + [0, 2, 3, 1, 2, 3, 1, 4, 0]
    }

    private let transparency: [UInt8] = [0x21, 0xF9, 4, 1, 0, 0, 0, 0]

    @Test("pictures are counted, and transparency is seen in front of any of them")
    func frames() throws {
        let head = try head(screen(12, 9) + picture(12, 9) + transparency + picture(3, 3) + picture(1, 1) + [0x3B])
        #expect(head.contentType == .gif)
        #expect(head.storedSize == PixelSize(width: 12, height: 9))
        #expect(head.frameCount == 3)
        #expect(head.hasAlpha)
    }

    @Test("a screen that is too small for the first picture is as large as that picture")
    func smallScreen() throws {
        let bytes = screen(2, 9) + picture(5, 4) + picture(12, 12) + [0x3B]
        #expect(try head(bytes).storedSize == PixelSize(width: 5, height: 9))
    }

    @Test("an empty screen takes its size from the pictures")
    func emptyScreen() throws {
        #expect(try head(screen(0, 0) + picture(5, 4) + [0x3B]).storedSize == PixelSize(width: 5, height: 4))
        #expect(headError(screen(0, 0) + [0x3B])?.isMalformed == true)
    }

    @Test("a file cut inside a picture has a head")
    func cut() throws {
        #expect(try head(screen(12, 9) + picture(12, 9).prefix(12)).frameCount == 1)
    }

    @Test("counting ends at its bound")
    func bound() throws {
        let bytes = screen(2, 2) + [[UInt8]](repeating: picture(2, 2), count: 3000).flatMap { $0 }
        #expect(try head(bytes).frameCount == 1001)
    }
}
