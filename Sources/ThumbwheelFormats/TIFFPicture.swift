import ThumbwheelCore

/// The layout of one picture of a TIFF file: interleaved samples of one width in bits, in strips or tiles.
package struct TIFFPicture: Sendable, Equatable {
    /// A list of unsigned integers in the file.
    package struct List: Sendable, Equatable {
        package let extent: Range<Int>
        /// The number of bytes of each integer.
        package let width: Int
        package var count: Int { extent.length / width }
    }

    package let size: PixelSize
    package let coding: TIFFCoding
    /// The number of bits of each sample: 1, 2, 4, 8 or 16.
    package let bitsPerSample: Int
    /// The code of the predictor: 1 for none, 2 for differences to the pixel on the left.
    package let predictor: Int
    /// The size of a tile or strip; the last strip may have fewer rows.
    package let blockSize: PixelSize
    package let isTiled: Bool
    /// The places of strips or tiles in the file, and their lengths.
    package let offsets: List
    package let byteCounts: List
    /// The colours of a palette: all reds, then all greens and blues, each of 16 bits.
    package let colorMap: List?
    /// The tables that all JPEG streams of the picture share.
    package let jpegTables: Range<Int>?

    package var columnCount: Int { (size.width + blockSize.width - 1) / blockSize.width }
    package var rowCount: Int { (size.height + blockSize.height - 1) / blockSize.height }

    /// The number of bytes of a row of pixels in a strip or tile; every row begins with a whole byte.
    package var bytesPerBlockRow: Int {
        (blockSize.width * Int(coding.samplesPerPixel) * bitsPerSample + 7) / 8
    }

    /// - Returns: nil for layouts that are not supported: separate planes, samples that are not unsigned integers or
    ///   differ in width, bits in reverse order, and directories that lack a field that a decoder needs.
    init?(
        _ reader: inout HeadReader, _ structure: TIFFStructure, _ directory: TIFFStructure.Directory
    ) throws(HeadError) {
        let entries = directory.entries
        func integer(_ tag: Int) throws(HeadError) -> Int? { try structure.integer(&reader, entries[tag]) }
        guard let width = try integer(Tag.width), let height = try integer(Tag.height),
            1...Int(Int32.max) ~= width, 1...Int(Int32.max) ~= height
        else { return nil }
        size = PixelSize(width: width, height: height)
        coding = try TIFFCoding(&reader, structure, directory)
        guard 1...8 ~= coding.samplesPerPixel,
            try integer(Tag.planarConfiguration) ?? 1 == 1 || coding.samplesPerPixel == 1,
            try integer(Tag.fillOrder) ?? 1 == 1,
            try structure.common(&reader, entries[Tag.sampleFormat]) ?? 1 == 1,
            let bits = try entries[Tag.bitsPerSample].map({ entry throws(HeadError) in
                try structure.common(&reader, entry)
            }) ?? 1, [1, 2, 4, 8, 16].contains(bits)
        else { return nil }
        bitsPerSample = bits
        predictor = try integer(Tag.predictor) ?? 1
        isTiled = entries[Tag.tileWidth] != nil
        let (blockWidth, blockHeight) =
            isTiled
            ? (try integer(Tag.tileWidth) ?? 0, try integer(Tag.tileHeight) ?? 0)
            : (width, min(height, try integer(Tag.rowsPerStrip) ?? height))
        guard 1...Int(Int32.max) ~= blockWidth, 1...Int(Int32.max) ~= blockHeight else { return nil }
        // The bytes of a strip or tile must fit into an Int; the largest pixel has 16 bytes.
        guard !blockWidth.multipliedReportingOverflow(by: 16 * blockHeight).overflow else { return nil }
        blockSize = PixelSize(width: blockWidth, height: blockHeight)
        // Some writers state the places of tiles in the fields for strips.
        guard
            let offsets = structure.list(entries[Tag.tileOffsets] ?? entries[Tag.stripOffsets]),
            let byteCounts = structure.list(entries[Tag.tileByteCounts] ?? entries[Tag.stripByteCounts])
        else { return nil }
        self.offsets = offsets
        self.byteCounts = byteCounts
        colorMap = structure.list(entries[Tag.colorMap])
        jpegTables = structure.list(entries[Tag.jpegTables])?.extent
        // The number of blocks is compared by a division, because the product of columns and rows could overflow.
        guard min(offsets.count, byteCounts.count) / columnCount >= rowCount else { return nil }
    }
}

extension TIFFStructure {
    /// Returns the value that all numbers of a field have, judged by the first eight; nil if they differ or are not
    /// integers.
    fileprivate func common(_ reader: inout HeadReader, _ entry: Entry?) throws(HeadError) -> Int? {
        let first = try integer(&reader, entry)
        for index in 1..<max(1, min(entry?.count ?? 0, 8)) where try integer(&reader, entry, at: index) != first {
            return nil
        }
        return first
    }

    fileprivate func list(_ entry: Entry?) -> TIFFPicture.List? {
        guard let entry, let width = Self.width(ofKind: entry.kind) else { return nil }
        return TIFFPicture.List(extent: entry.position..<entry.position + entry.count * width, width: width)
    }
}
