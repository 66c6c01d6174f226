/// A JPEG file with a larger preview behind its end, as many cameras write it (CIPA DC-007, the Multi-Picture Format).
enum MultiPictureFile {
    /// The file for `jpeg` with `segments` and an index of itself and `preview`, a whole JPEG file.
    static func assembled(jpeg: [UInt8], segments: [JPEGSegments.Segment], preview: [UInt8]) -> [UInt8] {
        // Offsets count from the index's own TIFF header: after SOI, the segments, a marker, a length, a signature.
        let header = 2 + segments.reduce(0) { $0 + $1.bytes.count } + 4 + 4
        let placeholder = index(primaryByteCount: 0, previewByteCount: 0, previewOffset: 0)
        let size = JPEGSegments.inserting(segments + [placeholder], into: jpeg, dropsJFIF: true).count
        let actual = index(primaryByteCount: size, previewByteCount: preview.count, previewOffset: size - header)
        return JPEGSegments.inserting(segments + [actual], into: jpeg, dropsJFIF: true) + preview
    }

    private static func index(
        primaryByteCount: Int, previewByteCount: Int, previewOffset: Int
    ) -> JPEGSegments.Segment {
        let order = ByteOrder.bigEndian
        var entries = ByteWriter(order)
        // The primary picture, which is the representative one and has a dependent one.
        for field in [0xA003_0000, UInt32(primaryByteCount), 0, 0x0002_0000] { entries.write(field) }
        // A large thumbnail of class 1 (VGA), dependent on it.
        for field in [0x4001_0001, UInt32(previewByteCount), UInt32(previewOffset), 0] { entries.write(field) }
        var directory = TIFFDirectory()
        directory[0xB000] = .undefined(Array("0100".utf8))
        directory[0xB001] = .longs([2])
        directory[0xB002] = .undefined(entries.bytes)
        let stream = TIFFDirectory.header(order) + directory.encoded(at: 8, next: 0, order: order)
        return JPEGSegments.Segment(number: 2, payload: Array("MPF".utf8) + [0] + stream)
    }
}
