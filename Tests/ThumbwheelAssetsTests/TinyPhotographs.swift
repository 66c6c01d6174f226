import TestSupport

/// The smallest files with facts about the taking of a photograph.
enum TinyPhotographs {
    private static func big(_ value: Int, _ width: Int) -> [UInt8] {
        (0..<width).map { UInt8(truncatingIfNeeded: value >> (8 * (width - 1 - $0))) }
    }

    private static func segment(_ marker: UInt8, _ payload: [UInt8]) -> [UInt8] {
        [0xFF, marker] + big(payload.count + 2, 2) + payload
    }

    private static let picture: [UInt8] = [
        0xFF, 0xC0, 0, 11, 8, 0, 8, 0, 16, 1, 1, 0x11, 0, 0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 63, 0,
    ]

    /// A JPEG with an XMP packet of some attributes.
    static func jpeg(_ attributes: String = "") -> [UInt8] {
        let packet = "http://ns.adobe.com/xap/1.0/\0<rdf:Description \(attributes)/>"
        return [0xFF, 0xD8] + segment(0xE1, Array(packet.utf8)) + picture
    }

    /// A JPEG taken on a day, with a fact in XMP that makes the file's length its own.
    static func jpeg(taken date: String, _ more: String = "") -> [UInt8] { jpeg("xmp:CreateDate='\(date)' \(more)") }

    static let london = "exif:GPSLatitude='51,30N' exif:GPSLongitude='0,7.5W'"

    /// A directory of a big-endian TIFF that lies at `place`, with its long values behind it.
    private static func directory(
        _ fields: [(tag: Int, kind: Int, value: [UInt8])], at place: Int
    ) -> [UInt8] {
        var long: [UInt8] = []
        var bytes = big(fields.count, 2)
        let end = place + 6 + 12 * fields.count
        for (tag, kind, value) in fields {
            let count = [3: value.count / 2, 4: value.count / 4][kind] ?? value.count
            bytes += big(tag, 2) + big(kind, 2) + big(count, 4)
            bytes += value.count <= 4 ? value + [UInt8](repeating: 0, count: 4 - value.count) : big(end + long.count, 4)
            if value.count > 4 { long += value }
        }
        return bytes + big(0, 4) + long
    }

    /// A JPEG by an iPhone, with a content identifier in the maker note.
    static func still(_ identifier: String) -> [UInt8] {
        let note =
            Array("Apple iOS\0".utf8) + [0, 1] + Array("MM".utf8)
            + directory([(0x0011, 2, Array(identifier.utf8) + [0])], at: 14)
        let details = 8 + 6 + 24 + 6
        let block =
            Array("MM\0*".utf8) + big(8, 4)
            + directory([(0x010F, 2, Array("Apple\0".utf8)), (0x8769, 4, big(details, 4))], at: 8)
            + directory([(0x927C, 7, note)], at: details)
        return [0xFF, 0xD8] + segment(0xE1, Array("Exif\0\0".utf8) + block) + picture
    }

    /// A RAW file (DNG) without a preview, perhaps taken at a time.
    static func raw(taken date: String? = nil) -> [UInt8] {
        var fields: [(tag: Int, kind: Int, value: [UInt8])] = [(0x0100, 3, big(400, 2)), (0x0101, 3, big(300, 2))]
        if let date { fields.append((0x0132, 2, Array(date.utf8) + [0])) }
        return Array("MM\0*".utf8) + big(8, 4) + directory(fields + [(0xC612, 1, [1, 4, 0, 0])], at: 8)
    }

    /// A QuickTime movie of three seconds, perhaps with a content identifier.
    static func movie(_ identifier: String? = nil, seconds: Int = 3) -> [UInt8] {
        var file = MovieFile()
        file.duration = seconds * file.timescale
        file.pixelCount = 16
        if let identifier {
            file.items = [MovieFileItem("com.apple.quicktime.content.identifier", identifier)]
        }
        return file.encoded()
    }
}
