/// Files with an XMP packet.
enum XMPBytes {
    static func segment(_ packet: String) -> [UInt8] {
        JPEGBytes.segment(0xE1, .text("http://ns.adobe.com/xap/1.0/\0" + packet))
    }

    /// A file of each format that can have a packet; the first is a JPEG.
    static func files(_ packet: String) -> [[UInt8]] {
        let text = [UInt8].text("XML:com.adobe.xmp\0\0\0en\0XMP\0" + packet)
        let tiff = TIFFBytes(directories: [
            [(0x0100, .short(6)), (0x0101, .short(4)), (0x02BC, .undefined(.text(packet)))]
        ])
        return [
            JPEGBytes.start + segment(packet) + JPEGBytes.frame(6, 4),
            PNGBytes.header(6, 4) + PNGBytes.chunk("iTXt", text) + PNGBytes.chunk("IDAT", [0]),
            PlaceTests.webp("XMP ", .text(packet)),
            HEIFBytes(properties: [HEIFBytes.size(6, 4)], xmp: packet).encoded(),
            tiff.encoded(),
        ]
    }
}
