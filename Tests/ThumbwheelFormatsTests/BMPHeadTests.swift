import Testing
import ThumbwheelCore
import ThumbwheelFormats

@Suite struct BMPHeadTests {
    private func file(_ header: [UInt8]) -> [UInt8] {
        .text("BM") + .zeros(12) + .little(header.count + 4, 4) + header + .zeros(16)
    }

    private func header(_ size: Int, _ width: Int, _ height: Int, bitsPerPixel: Int = 24) -> [UInt8] {
        let fields: [UInt8] = .little(width, 4) + .little(height, 4) + [1, 0] + .little(bitsPerPixel, 2)
        return fields + .zeros(size - 4 - fields.count)
    }

    @Test("headers of every length give the size", arguments: [16, 40, 52, 56, 64, 108, 124])
    func headers(size: Int) throws {
        let head = try head(file(header(size, 31, 17)))
        #expect(head.contentType == .bmp)
        #expect(head.storedSize == PixelSize(width: 31, height: 17))
        #expect(!head.hasAlpha)
    }

    @Test("the shortest header has sides of 16 bits")
    func coreHeader() throws {
        let bytes = file(.little(31, 2) + .little(17, 2) + [1, 0, 8, 0])
        #expect(try head(bytes).storedSize == PixelSize(width: 31, height: 17))
    }

    @Test("rows from the top down have a negative height")
    func topDown() throws {
        #expect(try head(file(header(40, 31, -17))).storedSize.height == 17)
    }

    @Test("an alpha mask is alpha")
    func alpha() throws {
        var fields = header(56, 4, 4, bitsPerPixel: 32)
        fields[51] = 0xFF
        #expect(try head(file(fields)).hasAlpha)
    }

    @Test("impossible sides and depths are refused; a text that begins with BM is no image")
    func contradictions() {
        #expect(headError(file(header(40, 0, 5)))?.isMalformed == true)
        #expect(headError(file(header(40, -3, 5)))?.isMalformed == true)
        #expect(headError(file(header(40, 3, Int(Int32.min))))?.isMalformed == true)
        #expect(headError(file(header(40, 3, 5, bitsPerPixel: 7)))?.isMalformed == true)
        #expect(headError(.text("BMW is a maker of motor cars and of motorcycles.")) == .unknownType)
    }
}
