import Testing
import ThumbwheelCore
import ThumbwheelFormats

@Suite struct VideoSniffingTests {
    private func ftyp(_ brand: String) -> [UInt8] { HEIFBytes.box("ftyp", .text(brand) + .zeros(4) + .text(brand)) }

    @Test("the first bytes tell a video from everything else")
    func types() {
        let packets: [UInt8] = [0x47] + .zeros(187) + [0x47]
        let expected: [(ContentType?, [UInt8])] = [
            (.mp4, ftyp("isom")), (.mp4, ftyp("M4V ")), (.quickTime, ftyp("qt  ")), (.threeGPP, ftyp("3gp5")),
            (.quickTime, .zeros(4) + .text("moov")), (.quickTime, .zeros(4) + .text("wide")),
            (.quickTime, .zeros(4) + .text("free")), (.quickTime, .zeros(4) + .text("skip")),
            (.webM, [0x1A, 0x45, 0xDF, 0xA3, 0x9F] + .text("....webm")),
            (.matroska, [0x1A, 0x45, 0xDF, 0xA3, 0x9F] + .text("....matroska")),
            (.avi, .text("RIFF....AVI LIST")), (.mpeg, [0, 0, 1, 0xBA]), (.mpegTransportStream, packets),
            (.mpegTransportStream, .zeros(4) + packets.prefix(188) + .zeros(4) + [0x47]),
            (nil, ftyp("heic")), (nil, ftyp("avif")), (nil, ftyp("M4A ")),
            (nil, .text("GIF89a") + packets.dropFirst(6)),
            (nil, [0x1A, 0x45, 0xDF, 0xA3] + .text("other")), (nil, .text("RIFF....WEBPVP8 ")), (nil, [1, 2, 3]),
            (nil, []),
        ]
        for (type, bytes) in expected { #expect(ContentType(sniffingVideo: bytes) == type) }
    }

    @Test("every type of videos has a file extension, and is no type of pictures")
    func extensions() {
        let types: [ContentType] = [.mp4, .quickTime, .threeGPP, .webM, .matroska, .avi, .mpeg, .mpegTransportStream]
        for type in types {
            #expect(type.filenameExtension != nil && type.isVideo && !ContentType.known.contains(type))
        }
        #expect(!ContentType.jpeg.isVideo)
    }
}
