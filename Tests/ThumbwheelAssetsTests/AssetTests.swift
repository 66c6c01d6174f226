import Foundation
import Testing
import ThumbwheelAssets
import ThumbwheelCore
import ThumbwheelFormats

@Suite struct AssetIdentifierTests {
    @Test("the local identifier has PhotoKit's form and reads back")
    func localIdentifier() {
        let identifier = AssetIdentifier(high: 0x0123_4567_89AB_CDEF, low: 0x00FE_DCBA_9876_5432)
        #expect(identifier.localIdentifier == "01234567-89AB-CDEF-00FE-DCBA98765432/L0/001")
        #expect(AssetIdentifier(localIdentifier: identifier.localIdentifier) == identifier)
    }

    @Test(
        "any other spelling is no identifier",
        arguments: [
            "", "01234567-89AB-CDEF-00FE-DCBA98765432", "01234567-89AB-CDEF-00FE-DCBA98765432/L0/040",
            "01234567-89ab-cdef-00fe-dcba98765432/L0/001", "+1234567-89AB-CDEF-00FE-DCBA98765432/L0/001",
            "0123456-789AB-CDEF-00FE-DCBA98765432/L0/001", "0123456789ABCDEF00FEDCBA98765432/L0/001",
        ])
    func otherSpellings(text: String) {
        #expect(AssetIdentifier(localIdentifier: text) == nil)
    }
}

@Suite struct AssetTests {
    @Test("a photograph in memory tells what its head tells")
    func reading() throws {
        let bytes = TinyImages.jpeg()
        let asset = try Asset(
            reading: .bytes(bytes), identifier: AssetIdentifier(high: 1, low: 2), originalFilename: "a.jpg")
        #expect(asset.mediaType == .image)
        #expect(asset.contentType == .jpeg)
        #expect(asset.pixelSize == PixelSize(width: 8, height: 16))
        #expect((asset.pixelWidth, asset.pixelHeight) == (8, 16))
        #expect(asset.creationDate == Date(timeIntervalSince1970: 1_577_880_000))
        #expect(asset.modificationDate == nil)
        #expect(asset.fileSize == bytes.count)
        #expect(try asset.resource.open().bytes() == bytes)
        #expect(asset.head.orientation == .right)
    }

    @Test("assets are equal by their identifiers alone")
    func equality() throws {
        let identifier = AssetIdentifier(high: 1, low: 2)
        let one = try Asset(
            reading: .bytes(TinyImages.png(1, 1)), identifier: identifier, originalFilename: "a.png")
        let other = try Asset(
            reading: .bytes(TinyImages.bmp(2, 2)), identifier: identifier, originalFilename: "b.bmp")
        #expect(one == other)
        #expect(Set([one, other]).count == 1)
        let copy = one.copy(identifier: AssetIdentifier(high: 1, low: 3))
        #expect(copy != one)
        #expect(copy.resource == one.resource)
        #expect(copy.pixelSize == one.pixelSize)
    }

    @Test("a file that is not there, or no image, is an error that says so")
    func failures() throws {
        let error = ByteSourceError.notFound(path: "/nowhere/a.jpg")
        #expect(throws: HeadError.source(error)) { try Asset(file: "/nowhere/a.jpg") }
        #expect(throws: HeadError.unknownType) {
            try Asset(
                reading: .bytes([1, 2, 3]), identifier: AssetIdentifier(high: 0, low: 0), originalFilename: "a")
        }
    }
}
