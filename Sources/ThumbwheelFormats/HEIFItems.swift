/// The items of a HEIF file's `meta` box: which is the picture, what it is made of, and what belongs to it.
struct HEIFItems {
    private let boxes: HEIFBoxes
    /// The item that is the photograph.
    let primary: Int

    /// A statement that one item makes about another.
    struct Reference {
        let kind: FourCharacterCode
        let from: Int
        let to: Int
    }

    init(_ reader: inout HeadReader, meta: Range<Int>) throws(HeadError) {
        // A full box: four bytes of version and flags in front.
        boxes = try HEIFBoxes(&reader, in: meta.suffix(at: 4))
        guard let box = boxes["pitm"] else { throw .malformed(reason: "no primary item") }
        var cursor = HeadCursor(box)
        let version = try cursor.versionAndFlags(from: &reader).version
        primary = try cursor.integer(version == 0 ? 2 : 4, from: &reader)
    }

    /// The four-letter type of each item (`infe`).
    func kinds(_ reader: inout HeadReader) throws(HeadError) -> [Int: FourCharacterCode] {
        guard let box = boxes["iinf"] else { return [:] }
        var cursor = HeadCursor(box)
        let version = try cursor.versionAndFlags(from: &reader).version
        try cursor.skip(version == 0 ? 2 : 4)
        var kinds: [Int: FourCharacterCode] = [:]
        for entry in try HEIFBoxes(&reader, in: cursor.rest).boxes where entry.kind == "infe" {
            var cursor = HeadCursor(entry.payload)
            let version = try cursor.versionAndFlags(from: &reader).version
            // Before version 2 items had names, not types.
            guard version >= 2 else { continue }
            let item = try cursor.integer(version == 2 ? 2 : 4, from: &reader)
            try cursor.skip(2)
            kinds[item] = FourCharacterCode(rawValue: UInt32(clamping: try cursor.integer(4, from: &reader)))
        }
        return kinds
    }

    /// The references that point at the photograph (`iref`).
    func referencesToPrimary(_ reader: inout HeadReader) throws(HeadError) -> [Reference] {
        guard let box = boxes["iref"] else { return [] }
        var cursor = HeadCursor(box)
        let width = try cursor.versionAndFlags(from: &reader).version == 0 ? 2 : 4
        var references: [Reference] = []
        for entry in try HEIFBoxes(&reader, in: cursor.rest).boxes {
            var cursor = HeadCursor(entry.payload)
            let from = try cursor.integer(width, from: &reader)
            for _ in 0..<(try cursor.integer(2, from: &reader)) {
                let to = try cursor.integer(width, from: &reader)
                if to == primary || from == primary { references.append(Reference(kind: entry.kind, from: from, to: to)) }
            }
        }
        return references
    }

    /// The property boxes of each of `items`, in the order in which they apply (`ipma` over `ipco`).
    func properties(
        _ reader: inout HeadReader, of items: Set<Int>
    ) throws(HeadError) -> [Int: [HEIFBoxes.Box]] {
        guard let box = boxes["iprp"] else { return [:] }
        let parts = try HEIFBoxes(&reader, in: box)
        guard let container = parts["ipco"] else { return [:] }
        let all = try HEIFBoxes(&reader, in: container).boxes
        var properties: [Int: [HEIFBoxes.Box]] = [:]
        for part in parts.boxes where part.kind == "ipma" {
            var cursor = HeadCursor(part.payload)
            let (version, flags) = try cursor.versionAndFlags(from: &reader)
            for _ in 0..<(try cursor.integer(4, from: &reader)) {
                let item = try cursor.integer(version == 0 ? 2 : 4, from: &reader)
                for _ in 0..<(try cursor.integer(1, from: &reader)) {
                    // The highest bit says that the property is essential; the rest counts from 1.
                    let isWide = flags & 1 == 1
                    let index = try cursor.integer(isWide ? 2 : 1, from: &reader) & (isWide ? 0x7FFF : 0x7F)
                    guard items.contains(item), all.indices.contains(index - 1) else { continue }
                    properties[item, default: []].append(all[index - 1])
                }
            }
        }
        return properties
    }

    /// Where in the file an item lies in one piece; nil where it does not (`iloc`).
    func place(_ reader: inout HeadReader, of wanted: Int) throws(HeadError) -> Range<Int>? {
        guard let box = boxes["iloc"] else { return nil }
        var cursor = HeadCursor(box)
        let version = try cursor.versionAndFlags(from: &reader).version
        let widths = try cursor.integer(2, from: &reader)
        let (offsetWidth, lengthWidth) = (widths >> 12, widths >> 8 & 15)
        let (baseWidth, indexWidth) = (widths >> 4 & 15, version == 0 ? 0 : widths & 15)
        guard [offsetWidth, lengthWidth, baseWidth, indexWidth].allSatisfy([0, 4, 8].contains) else { return nil }
        for _ in 0..<(try cursor.integer(version < 2 ? 2 : 4, from: &reader)) {
            let item = try cursor.integer(version < 2 ? 2 : 4, from: &reader)
            let construction = version == 0 ? 0 : try cursor.integer(2, from: &reader) & 15
            try cursor.skip(2)
            let base = try cursor.integer(baseWidth, from: &reader)
            let extentCount = try cursor.integer(2, from: &reader)
            guard item == wanted else {
                // In one step: extents of no bytes would cost nothing and be without end.
                try cursor.skip(extentCount * (indexWidth + offsetWidth + lengthWidth))
                continue
            }
            guard extentCount == 1 else { return nil }
            try cursor.skip(indexWidth)
            let offset = try cursor.integer(offsetWidth, from: &reader)
            let length = try cursor.integer(lengthWidth, from: &reader)
            // 0 counts from the start of the file, 1 from that of the `idat` box.
            let whole = construction == 0 ? reader.extent : construction == 1 ? boxes["idat"] : nil
            guard let whole else { return nil }
            let fromBase = try whole.suffix(at: base).suffix(at: offset)
            return lengthWidth == 0 ? fromBase : try fromBase.subrange(at: 0, count: length)
        }
        return nil
    }
}
