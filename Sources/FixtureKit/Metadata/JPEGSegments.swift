/// Puts metadata into a JPEG file that an encoder has made.
package enum JPEGSegments {
    /// An application segment: its marker's number (1 for APP1) and what follows the length.
    package struct Segment: Sendable, Hashable {
        package var number: Int
        package var payload: [UInt8]

        package init(number: Int, payload: [UInt8]) {
            self.number = number
            self.payload = payload
        }

        /// An EXIF block.
        package static func exif(_ block: ExifBlock) -> Segment { Segment(number: 1, payload: block.app1) }

        /// A colour profile that fits into one segment (ICC.1:2010, annex B.4).
        package static func icc(_ profile: [UInt8]) -> Segment {
            Segment(number: 2, payload: Array("ICC_PROFILE".utf8) + [0, 1, 1] + profile)
        }

        /// Marker, length and payload.
        package var bytes: [UInt8] {
            precondition(payload.count <= 65_533, "a JPEG segment holds less than 64 KB")
            var writer = ByteWriter(.bigEndian)
            writer.write(UInt16(0xFFE0 + number))
            writer.write(UInt16(payload.count + 2))
            writer.write(payload)
            return writer.bytes
        }
    }

    /// The file with `segments` right after its first marker. With `dropsJFIF` an APP0 segment that stood there goes
    /// away: cameras write EXIF instead of it, not as well.
    package static func inserting(_ segments: [Segment], into jpeg: [UInt8], dropsJFIF: Bool) -> [UInt8] {
        precondition(jpeg.count > 6 && jpeg[0] == 0xFF && jpeg[1] == 0xD8, "not a JPEG file")
        var rest = 2
        if dropsJFIF && jpeg[2] == 0xFF && jpeg[3] == 0xE0 {
            rest += 2 + Int(jpeg[4]) << 8 + Int(jpeg[5])
        }
        return jpeg[..<2] + segments.flatMap(\.bytes) + jpeg[rest...]
    }
}
