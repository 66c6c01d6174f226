import ThumbwheelCore

/// The index of the pictures in a multi-picture file (CIPA DC-007, 5.2): one JPEG behind the other.
enum MultiPictureIndex {
    /// How many pictures are looked at; cameras write two or three.
    private static let entryLimit = 16
    private static let entrySize = 16

    /// The monitor-size renderings of the first picture; panoramas and stereo pairs are other pictures.
    ///
    /// - Parameter extent: the APP2 segment from its MP header on, from which the offsets count.
    static func previews(_ reader: inout HeadReader, in extent: Range<Int>) throws(HeadError) -> [EmbeddedPreview] {
        var previews: [EmbeddedPreview] = []
        do throws(HeadError) {
            let structure = try TIFFStructure(&reader, in: extent)
            let index = try structure.directory(&reader, at: structure.firstDirectory)
            guard let entries = index.entries[Tag.multiPictureEntries] else { return [] }
            for number in 0..<min(entries.count / entrySize, entryLimit) {
                let place = entries.position + number * entrySize
                let attributes = try reader.integer(at: place, width: 4, order: structure.order)
                let count = try reader.integer(at: place + 4, width: 4, order: structure.order)
                let offset = try reader.integer(at: place + 8, width: 4, order: structure.order)
                guard let size = nominalSize(attributes), count > 4 else { continue }
                let file = extent.lowerBound..<reader.byteCount
                guard offset > 0, let range = try? file.subrange(at: offset, count: count) else { continue }
                previews.append(
                    EmbeddedPreview(kind: .multiPicture, byteRange: range, contentType: .jpeg, pixelSize: size))
            }
        } catch  where error.concernsBytes {
            // What was listed before the damage stands.
        }
        return previews
    }

    /// The class of size that a picture's type names: it is not its exact size, which only its own header tells. Nil for
    /// what is no large thumbnail, or no JPEG.
    private static func nominalSize(_ attributes: Int) -> PixelSize? {
        guard attributes >> 24 & 7 == 0 else { return nil }
        return switch attributes & 0xFF_FFFF {
        case 0x01_0001: PixelSize(width: 640, height: 480)
        case 0x01_0002: PixelSize(width: 1920, height: 1080)
        default: nil
        }
    }
}
