/// The byte order and directories of a TIFF structure: a TIFF file, or the EXIF block inside another format.
///
/// Offsets count from the beginning of the structure. Only directories that the caller asks for are read, so
/// directories that refer to each other in circles cannot make a reader run without end.
struct TIFFStructure {
    /// A field of a directory, with the place of its values in the file.
    struct Entry {
        let kind: Int
        let count: Int
        let position: Int
        /// The place of the values.
        var range: Range<Int> { position..<position + count * TIFFStructure.size(ofKind: kind) }
    }

    struct Directory {
        var entries: [Int: Entry] = [:]
        /// The place of the next directory in the chain; nil at the end of the chain.
        var next: Int?
    }

    /// The range of the file in which the structure lies.
    let extent: Range<Int>
    let order: ByteOrder
    /// Whether the structure is a BigTIFF, with 8-byte offsets and counts.
    let isBig: Bool
    /// The place of the first directory in the file.
    let firstDirectory: Int

    /// Reads the header: `II` or `MM`, 42 or 43, and the first directory's offset.
    init(_ reader: inout HeadReader, in extent: Range<Int>) throws(HeadError) {
        self.extent = extent
        let start = try extent.subrange(at: 0, count: 8).lowerBound
        if try reader.matches("II", at: start) {
            order = .little
        } else if try reader.matches("MM", at: start) {
            order = .big
        } else {
            throw .malformed(reason: "no TIFF byte order")
        }
        let magic = try reader.integer(at: start + 2, width: 2, order: order)
        isBig = magic == 43
        let offset: Int
        if isBig {
            offset = try reader.integer(at: extent.subrange(at: 8, count: 8).lowerBound, width: 8, order: order)
        } else {
            guard magic == 42 else { throw .malformed(reason: "TIFF magic number \(magic)") }
            offset = try reader.integer(at: start + 4, width: 4, order: order)
        }
        firstDirectory = try extent.subrange(at: offset, count: 2).lowerBound
    }

    /// Makes a structure that has no header of its own, such as the one in a maker note.
    init(in extent: Range<Int>, order: ByteOrder, firstDirectory: Int) {
        self.extent = extent
        self.order = order
        isBig = false
        self.firstDirectory = firstDirectory
    }

    /// The greatest number of entries that a directory may have; cameras write about a hundred.
    static let entryLimit = 1024

    /// Reads the directory at a place in the file. Entries whose values do not lie in the structure are left out.
    func directory(_ reader: inout HeadReader, at position: Int) throws(HeadError) -> Directory {
        try reader.enterPart()
        let countWidth = isBig ? 8 : 2
        let count = try reader.integer(at: position, width: countWidth, order: order)
        guard count <= Self.entryLimit else { throw .limitExceeded(reason: "a directory of \(count) entries") }
        var directory = Directory()
        var place = position + countWidth
        let entrySize = isBig ? 20 : 12
        for _ in 0..<count {
            guard place <= extent.upperBound - entrySize else {
                // The directory is cut short; the entries before its end are kept.
                return directory
            }
            let tag = try reader.integer(at: place, width: 2, order: order)
            try reader.spend(HeadReader.stepsPerKeeping)
            if directory.entries[tag] == nil, let entry = try entry(&reader, at: place) {
                directory.entries[tag] = entry
            }
            place += entrySize
        }
        let offsetWidth = isBig ? 8 : 4
        guard place <= extent.upperBound - offsetWidth else { return directory }
        let offset = try reader.integer(at: place, width: offsetWidth, order: order)
        if offset != 0 { directory.next = try? extent.subrange(at: offset, count: 2).lowerBound }
        return directory
    }

    private func entry(_ reader: inout HeadReader, at place: Int) throws(HeadError) -> Entry? {
        let kind = try reader.integer(at: place + 2, width: 2, order: order)
        let width = isBig ? 8 : 4
        let count = try reader.integer(at: place + 4, width: width, order: order)
        let (byteCount, overflows) = count.multipliedReportingOverflow(by: Self.size(ofKind: kind))
        guard !overflows, count > 0 else { return nil }
        let inlinePlace = place + 4 + width
        if byteCount <= width { return Entry(kind: kind, count: count, position: inlinePlace) }
        let offset = try reader.integer(at: inlinePlace, width: width, order: order)
        guard let range = try? extent.subrange(at: offset, count: byteCount) else { return nil }
        return Entry(kind: kind, count: count, position: range.lowerBound)
    }

    /// Returns the number of bytes per value of a kind (TIFF 6.0, section 2; BigTIFF adds 16 to 18).
    private static func size(ofKind kind: Int) -> Int {
        switch kind {
        case 3, 8: 2
        case 4, 9, 11, 13: 4
        case 5, 10, 12, 16, 17, 18: 8
        default: 1
        }
    }

    /// Returns the number of bytes of an unsigned integer of a kind; nil for kinds of other values.
    static func width(ofKind kind: Int) -> Int? {
        [1, 3, 4, 7, 13, 16, 18].contains(kind) ? size(ofKind: kind) : nil
    }

    /// Returns the unsigned value of a field at `index`; nil if the value is missing or is not an unsigned integer.
    func integer(_ reader: inout HeadReader, _ entry: Entry?, at index: Int = 0) throws(HeadError) -> Int? {
        guard let entry, index < entry.count, let width = Self.width(ofKind: entry.kind) else { return nil }
        return try reader.integer(at: entry.position + index * width, width: width, order: order)
    }

    /// Returns the bytes of a text field before its NUL, at most `limit` bytes.
    func text(_ reader: inout HeadReader, _ entry: Entry?, limit: Int = 64) throws(HeadError) -> [UInt8]? {
        guard let entry, [1, 2, 7].contains(entry.kind) else { return nil }
        let bytes = try reader.bytes(in: entry.position..<entry.position + min(entry.count, limit))
        return [UInt8](bytes.prefix { $0 != 0 })
    }

    /// Reads the directory that a field points at.
    func directory(_ reader: inout HeadReader, pointedAtBy entry: Entry?) throws(HeadError) -> Directory? {
        guard let offset = try integer(&reader, entry) else { return nil }
        return try directory(&reader, at: extent.subrange(at: offset, count: 2).lowerBound)
    }
}
