/// The documented facts in the maker note of an Apple camera (P. Harvey's ExifTool documents them). The note is a
/// header of fourteen bytes, followed by a directory. Offsets in the directory count from the beginning of the note.
struct AppleMakerNote {
    /// The code of the image type: 3 for a photograph merged from several exposures, 4 for a single exposure that was
    /// stored beside the merged one.
    private(set) var imageType: Int?
    private(set) var burst: String?
    /// The identifier that the photograph and the video of a Live Photo share.
    private(set) var contentIdentifier: String?
    /// The code of the capture type: 1 for ProRAW, 2 for a portrait, 10 for an ordinary photograph.
    private(set) var captureType: Int?

    private enum Field {
        static let imageType = 0x000A
        static let burst = 0x000B
        static let contentIdentifier = 0x0011
        static let captureType = 0x0014
    }

    private static let headerSize = 14

    /// - Parameter extent: the place of the maker note.
    /// - Returns: nil for a note of another maker.
    init?(_ reader: inout HeadReader, in extent: Range<Int>) throws(HeadError) {
        guard try reader.matches("Apple iOS\0", at: extent.lowerBound) else { return nil }
        let directory = try extent.subrange(at: Self.headerSize, count: 2).lowerBound
        let isLittle = try reader.matches("II", at: directory - 2)
        let structure = TIFFStructure(in: extent, order: isLittle ? .little : .big, firstDirectory: directory)
        let entries = try structure.directory(&reader, at: directory).entries
        imageType = try structure.integer(&reader, entries[Field.imageType])
        captureType = try structure.integer(&reader, entries[Field.captureType])
        burst = try structure.identifier(&reader, entries[Field.burst])
        contentIdentifier = try structure.identifier(&reader, entries[Field.contentIdentifier])
    }
}

extension TIFFStructure {
    /// Returns a text field as an identifier; nil if it is missing, empty or not printable ASCII.
    func identifier(_ reader: inout HeadReader, _ entry: Entry?) throws(HeadError) -> String? {
        guard let text = try self.text(&reader, entry, limit: 128), !text.isEmpty,
            text.allSatisfy({ 0x21...0x7E ~= $0 })
        else { return nil }
        return String(decoding: text, as: UTF8.self)
    }
}
