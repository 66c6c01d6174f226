import ThumbwheelCore

/// The index of the pictures in a multi-picture file (CIPA DC-007, 5.2), which is a sequence of JPEGs.
enum MultiPictureIndex {
    /// A picture of the index.
    struct Entry {
        /// The type code of the picture. It tells the picture's role in the file, such as a part of a panorama.
        let type: Int
        /// The place of the picture in the file.
        let range: Range<Int>

        /// The type of the pictures that a panorama is made of.
        static let panorama = 0x02_0001
        /// The type of pictures whose role is not stated, such as gain maps and maps of distances.
        static let undefined = 0

        /// The picture as a preview, if its type says that it is a smaller version of the first picture for a screen;
        /// nil for other pictures, such as those of panoramas and stereo pairs. The size is the nominal one of the
        /// type; only the picture's own header states the exact size.
        var preview: EmbeddedPreview? {
            let size: PixelSize
            switch type {
            case 0x01_0001: size = PixelSize(width: 640, height: 480)
            case 0x01_0002: size = PixelSize(width: 1920, height: 1080)
            default: return nil
            }
            return EmbeddedPreview(kind: .multiPicture, byteRange: range, contentType: .jpeg, pixelSize: size)
        }
    }

    /// The greatest number of pictures that are examined; cameras write two or three.
    private static let entryLimit = 16
    private static let entrySize = 16

    /// Returns the JPEGs after the first picture.
    ///
    /// - Parameter extent: the APP2 segment from its MP header on; offsets count from there.
    static func entries(_ reader: inout HeadReader, in extent: Range<Int>) throws(HeadError) -> [Entry] {
        var pictures: [Entry] = []
        do throws(HeadError) {
            let structure = try TIFFStructure(&reader, in: extent)
            let index = try structure.directory(&reader, at: structure.firstDirectory)
            guard let entries = index.entries[Tag.multiPictureEntries] else { return [] }
            for number in 0..<min(entries.count / entrySize, entryLimit) {
                let place = entries.position + number * entrySize
                let attributes = try reader.integer(at: place, width: 4, order: structure.order)
                let count = try reader.integer(at: place + 4, width: 4, order: structure.order)
                let offset = try reader.integer(at: place + 8, width: 4, order: structure.order)
                // Bits 24 to 26 are 0 for a JPEG.
                guard attributes >> 24 & 7 == 0, count > 4 else { continue }
                let file = extent.lowerBound..<reader.byteCount
                guard offset > 0, let range = try? file.subrange(at: offset, count: count) else { continue }
                pictures.append(Entry(type: attributes & 0xFF_FFFF, range: range))
            }
        } catch  where error.concernsBytes {
            // The pictures that were listed before the damage are kept.
        }
        return pictures
    }
}
