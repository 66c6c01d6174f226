/// The smallest files that have a head.
enum TinyImages {
    /// The beginning of a QuickTime movie.
    static let movie: [UInt8] = [0, 0, 0, 20] + Array("ftypqt  \0\0\0\0qt  ".utf8)

    static func png(_ width: UInt8, _ height: UInt8) -> [UInt8] {
        let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        let header: [UInt8] = [0, 0, 0, 13] + Array("IHDR".utf8) + [0, 0, 0, width, 0, 0, 0, height, 8, 2, 0, 0, 0]
        return signature + header + [0, 0, 0, 0, 0, 0, 0, 0] + Array("IEND".utf8) + [0, 0, 0, 0]
    }

    static func bmp(_ width: UInt8, _ height: UInt8) -> [UInt8] {
        let fields: [UInt8] = [40, 0, 0, 0, width, 0, 0, 0, height, 0, 0, 0, 1, 0, 24, 0]
        return Array("BM".utf8) + [UInt8](repeating: 0, count: 12) + fields + [UInt8](repeating: 0, count: 24)
    }

    /// A JPEG of 16x8 pixels, turned by a quarter, taken on a day of January 2020 at noon.
    static func jpeg(day: Int = 1, orientation: UInt8 = 6) -> [UInt8] {
        let date = Array("2020:01:\(day < 10 ? "0" : "")\(day) 12:00:00\0".utf8)
        var block: [UInt8] = Array("II*\0".utf8) + [8, 0, 0, 0, 2, 0]
        block += [0x12, 1, 3, 0, 1, 0, 0, 0, orientation, 0, 0, 0]
        block += [0x32, 1, 2, 0, 20, 0, 0, 0, 38, 0, 0, 0]
        block += [0, 0, 0, 0] + date
        let exif = Array("Exif\0\0".utf8) + block
        return [0xFF, 0xD8, 0xFF, 0xE1, 0, UInt8(exif.count + 2)] + exif
            + [0xFF, 0xC0, 0, 11, 8, 0, 8, 0, 16, 1, 1, 0x11, 0, 0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 63, 0]
    }
}
