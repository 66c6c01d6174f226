import FixtureKit
import Testing

@Suite("ExifBlock")
struct ExifBlockTests {
    @Test("what is written is read back", arguments: ByteOrder.allCases)
    func roundTrip(order: ByteOrder) throws {
        let preview = try JPEGEncoder(quality: 80).encode(Raster(Scene(seed: 1), width: 160, height: 120))
        let block = ExifBlock(
            byteOrder: order, make: "Maker", model: "A", orientation: 6, dateTimeOriginal: "2021:07:14 16:05:09",
            offsetTimeOriginal: "+02:00", subSecTimeOriginal: "25",
            location: .init(latitude: -338_688, longitude: 1_512_093), pixelWidth: 640, pixelHeight: 480,
            colorSpace: 1, preview: preview)

        let reader = try #require(TIFFReader(block.tiff))
        #expect(reader.order == order)
        let (camera, next) = reader.first
        #expect(reader.text(camera[0x010F]) == "Maker")
        #expect(reader.text(camera[0x0110]) == "A")
        #expect(reader.number(camera[0x0112]) == 6)

        let exif = reader.directory(at: try #require(reader.number(camera[0x8769]))).fields
        #expect(reader.text(exif[0x9003]) == "2021:07:14 16:05:09")
        #expect(reader.text(exif[0x9011]) == "+02:00")
        #expect(reader.text(exif[0x9291]) == "25")
        #expect(reader.number(exif[0xA002]) == 640)
        #expect(reader.number(exif[0xA003]) == 480)

        let gps = reader.directory(at: try #require(reader.number(camera[0x8825]))).fields
        #expect(reader.text(gps[1]) == "S")
        #expect(reader.text(gps[3]) == "E")
        #expect(reader.number(gps[4].map { Array($0[..<4]) }) == 151)

        let second = reader.directory(at: next)
        let start = try #require(reader.number(second.fields[0x0201]))
        let count = try #require(reader.number(second.fields[0x0202]))
        #expect(Array(reader.bytes[start..<start + count]) == preview)
        #expect(second.next == 0)
    }

    @Test("what is left out is not written")
    func absent() throws {
        let reader = try #require(TIFFReader(ExifBlock().tiff))
        let (camera, next) = reader.first
        #expect(camera[0x0112] == nil)
        #expect(camera[0x0132] == nil)
        #expect(camera[0x8825] == nil)
        #expect(next == 0)
    }

    @Test("EXIF takes the place of JFIF right after the file's first marker")
    func segment() throws {
        let jpeg = try JPEGEncoder(quality: 80).encode(Raster(Scene(seed: 1), width: 16, height: 16))
        let block = ExifBlock(orientation: 3)
        let file = JPEGSegments.inserting([.exif(block)], into: jpeg, dropsJFIF: true)
        #expect(file[..<4] == [0xFF, 0xD8, 0xFF, 0xE1])
        #expect(Array(file[6..<12]) == Array("Exif".utf8) + [0, 0])
        // JFIF's segment is 18 bytes long.
        #expect(file.count == jpeg.count - 18 + block.app1.count + 4)
    }
}
