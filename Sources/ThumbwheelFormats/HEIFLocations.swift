/// Reads the list of the items' locations (`iloc`) entry by entry.
struct HEIFLocations {
    private var cursor: HeadCursor
    private let version: Int
    private var left: Int
    private let offsetWidth, lengthWidth, baseWidth, indexWidth: Int
    private let data: Range<Int>?

    /// - Parameters:
    ///   - extent: the contents of the `iloc` box.
    ///   - data: the contents of the `idat` box, in which small items lie.
    init(_ reader: inout HeadReader, in extent: Range<Int>, data: Range<Int>?) throws(HeadError) {
        cursor = HeadCursor(extent)
        self.data = data
        version = try cursor.versionAndFlags(from: &reader).version
        let widths = try cursor.integer(2, from: &reader)
        (offsetWidth, lengthWidth) = (widths >> 12, widths >> 8 & 15)
        (baseWidth, indexWidth) = (widths >> 4 & 15, version == 0 ? 0 : widths & 15)
        guard [offsetWidth, lengthWidth, baseWidth, indexWidth].allSatisfy([0, 4, 8].contains) else {
            throw .malformed(reason: "places of items in \(widths)")
        }
        left = try cursor.integer(version < 2 ? 2 : 4, from: &reader)
    }

    /// The greatest number of pieces of one item. An item with more is returned without pieces.
    private static let extentLimit = 256

    /// Returns the next of the wanted items, and the pieces of the file with its data; nil after the last. An item at
    /// an impossible place, or in too many pieces, is returned without pieces.
    mutating func next(
        _ reader: inout HeadReader, wanted: Set<Int>
    ) throws(HeadError) -> (item: Int, extents: [Range<Int>])? {
        while left > 0 {
            left -= 1
            let item = try cursor.integer(version < 2 ? 2 : 4, from: &reader)
            let construction = version == 0 ? 0 : try cursor.integer(2, from: &reader) & 15
            try cursor.skip(2)
            guard wanted.contains(item) else {
                try cursor.skip(baseWidth)
                let extentCount = try cursor.integer(2, from: &reader)
                try skipExtents(extentCount)
                continue
            }
            let base = try cursor.integer(baseWidth, from: &reader)
            let extentCount = try cursor.integer(2, from: &reader)
            // Construction method 0 counts from the start of the file, and 1 from the start of the `idat` box. Offsets
            // beyond the end of the file are accepted, so that a file that was cut short is still described as a whole.
            let whole = construction == 0 ? 0..<ImageHead.byteCountLimit : construction == 1 ? data : nil
            guard let whole, extentCount <= Self.extentLimit else {
                try skipExtents(extentCount)
                return (item, [])
            }
            var extents: [Range<Int>] = []
            for _ in 0..<extentCount {
                try cursor.skip(indexWidth)
                let offset = try cursor.integer(offsetWidth, from: &reader)
                let length = try cursor.integer(lengthWidth, from: &reader)
                try reader.spend(HeadReader.stepsPerKeeping)
                guard let rest = try? whole.suffix(at: base).suffix(at: offset) else { continue }
                if lengthWidth > 0 {
                    if let extent = try? rest.subrange(at: 0, count: length) { extents.append(extent) }
                } else if rest.lowerBound <= reader.byteCount {
                    extents.append(rest.clamped(to: 0..<reader.byteCount))
                }
            }
            return (item, extents.count == extentCount ? extents : [])
        }
        return nil
    }

    /// Skips all extents in one step. An entry may state any number of extents of zero bytes, and reading these one by
    /// one could take very long.
    private mutating func skipExtents(_ count: Int) throws(HeadError) {
        try cursor.skip(count * (indexWidth + offsetWidth + lengthWidth))
    }
}
