import ThumbwheelCore

/// The index of the pictures in a multi-picture file (CIPA DC-007, 5.2), which is a sequence of JPEGs.
enum MultiPictureIndex {
    /// The greatest number of pictures that are examined; cameras write two or three.
    private static let entryLimit = 16
    private static let entrySize = 16

    /// Returns the monitor-size renderings of the first picture. Panoramas and stereo pairs are other pictures and are left
    /// out.
    ///
    /// - Parameter extent: the APP2 segment from its MP header on; offsets count from there.
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
            // The previews that were listed before the damage are kept.
        }
        return previews
    }

    /// Returns the nominal size that a picture's type states; only the picture's own header states the exact size. Nil for a
    /// picture that is not a large thumbnail or not a JPEG.
    private static func nominalSize(_ attributes: Int) -> PixelSize? {
        guard attributes >> 24 & 7 == 0 else { return nil }
        return switch attributes & 0xFF_FFFF {
        case 0x01_0001: PixelSize(width: 640, height: 480)
        case 0x01_0002: PixelSize(width: 1920, height: 1080)
        default: nil
        }
    }
}
